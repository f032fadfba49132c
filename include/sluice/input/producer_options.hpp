// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace sluice {

/// The options of a producer.
struct producer_options
{
    /// How many calls of the function run at the same time; at least 1.
    std::size_t workers = 1;

    /// Whether the results leave in the order of the input, whatever the order in which the
    /// workers finish. A slow element then holds up those behind it, at most `capacity`; if that
    /// is `unbounded`, as many as the input has.
    bool ordered = false;

    /// How many results are stored or being computed at most, in elements, or `unbounded`. Must
    /// not be 0, and should not be below `workers`: each worker keeps a place.
    queue_capacity capacity;

    /// The name of the queue and of the runner; need not be unique. It is copied. If you store
    /// the options, what the name refers to must live until then.
    std::string_view name = "queue";
};

static_assert(std::is_trivially_destructible_v<producer_options>);  // see queue_options

}  // namespace sluice
