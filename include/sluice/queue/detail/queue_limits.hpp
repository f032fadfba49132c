// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <string>

namespace sluice::detail {

// How much a queue stores, and what happens to an element beyond that.
struct queue_limits
{
    // At capacity 0 nothing is stored, so there is nothing to weigh.
    queue_limits(
        std::size_t elements,
        std::size_t weight_limit = unbounded,
        overflow rule = overflow::wait
    ) noexcept
        : capacity(elements),
          weight(elements == 0 ? unbounded : weight_limit),
          when_full(rule),
          has_capacity_only(weight == unbounded && rule == overflow::wait)
    {
    }

    std::size_t capacity;
    std::size_t weight;  // `unbounded` if elements are not weighed
    overflow when_full;
    bool has_capacity_only;  // nothing else says what comes in
};

// The options of a store of another program may do without all but the capacity. Throws if they
// contradict each other.
template <class Options>
[[nodiscard]] queue_limits limits_of(const Options& options)
{
    std::size_t weight = unbounded;
    if constexpr (requires { options.weight_limit; })
        weight = options.weight_limit;
    overflow rule = overflow::wait;
    if constexpr (requires { options.overflow; })
        rule = options.overflow;
    if (options.capacity == 0 && rule != overflow::wait)
        throw system_error(
            errc::invalid_argument,
            "queue '" + std::string(options.name) +
                "': with capacity 0 nothing is stored that could be dropped; for an "
                "overflow rule the capacity must be at least 1"
        );
    return {options.capacity, weight, rule};
}

}  // namespace sluice::detail
