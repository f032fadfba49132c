// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sluice {

/// A callable that gives what another one gives, a number of times, and then ends.
/**
 * What reads without an end (a batcher, a queue_runner, the function of an input_producer) ends
 * after that many calls. As TensorFlow's `limit_epochs`, but there is nothing to initialize.
 *
 * @par Example
 * @code
 * sluice::batcher<example> batches{pool, sluice::limit_epochs(read, 1000), {.batch_size = 32}};
 * @endcode
 *
 * @param source      a callable without arguments, or a value, of which each call gives a copy.
 * @param num_epochs  how many calls succeed; at least 1.
 * @return a callable with the result of `source`. It throws a system_error with errc::end_of_queue
 *         from the next call on. Copies of it share the count, also among threads.
 * @throws system_error   errc::invalid_argument if `num_epochs` is 0 or less.
 * @par Exception safety  strong; what was moved into an argument is destroyed.
 * @par Thread safety     any thread. Calls of one object: as calls of `source`.
 */
template <std::move_constructible Source, std::integral Number>
[[nodiscard]] auto limit_epochs(Source source, Number num_epochs)
{
    if (num_epochs <= Number(0))
        throw system_error(
            errc::invalid_argument,
            "limit_epochs: num_epochs is " + std::to_string(num_epochs) +
                "; give at least 1"
        );
    return [source = std::move(source),
            limit = static_cast<std::uint64_t>(num_epochs),
            calls = std::make_shared<std::atomic<std::uint64_t>>(0)]() mutable {
        if (calls->fetch_add(1, std::memory_order_relaxed) >= limit)
            throw system_error(errc::end_of_queue, "limit_epochs");
        if constexpr (std::invocable<Source&>)
            return std::invoke(source);
        else
            return source;
    };
}

}  // namespace sluice
