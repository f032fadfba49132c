// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace sluice::redis {

/// The order in which the elements of a queue leave it.
enum class queue_kind : unsigned char
{
    fifo,      ///< First in, first out.
    priority,  ///< The smallest priority first, first in, first out among equals.
    shuffle    ///< A random one of those that are there.
};

/// What a queue on a server is, which is the same for all processes, and how this process uses it.
/**
 * The first process that opens the queue creates it. For all others `capacity`, `kind`,
 * `max_deliveries`, `min_after_dequeue` and the delays must be what they are there.
 */
struct queue_options
{
    /// Which queue it is: all processes that name it share it. Not empty, without braces.
    std::string_view name;

    /// How many elements there are at most over all processes, those included that a consumer
    /// has and has not acknowledged. At least 1.
    std::size_t capacity;

    /// The order of the elements. Default: fifo.
    queue_kind kind = queue_kind::fifo;

    /// How long a consumer may keep an element before it is taken for dead, and the element goes
    /// to another one. Longer than the work on one element, or on the batch it came with; see
    /// delivery::extend(). Default: 30 s.
    std::chrono::milliseconds lease = std::chrono::seconds(30);

    /// How often an element is delivered before it goes to the dead letters instead. 0: without
    /// limit. Default: 5.
    std::uint32_t max_deliveries = 5;

    /// Of a shuffle queue: how many elements stay behind while the queue is open, so that there is
    /// something to choose from; below `capacity`. Default: 0.
    std::size_t min_after_dequeue = 0;

    /// How long an element waits for its next delivery after the first one has failed, because its
    /// consumer returned it or its lease ended. It doubles with each further delivery. The server
    /// keeps the time, so it goes on if all processes end; the element counts as leased meanwhile.
    /// It may be up to a `connection_options::poll_interval` longer for consumers that wait.
    /// Default: 0, no delay.
    std::chrono::milliseconds retry_delay = std::chrono::milliseconds(0);

    /// No delay is longer; not below `retry_delay`. Default: 5 min.
    std::chrono::milliseconds max_retry_delay = std::chrono::minutes(5);

    /// The name under which this process enqueues. The server counts what comes in under it, so
    /// that the next process with the name knows where to go on; see queue::position(). One queue
    /// object at a time enqueues under a name: the one whose opening the server answered last.
    /// Enqueues of the one before it fail with errc::producer_fenced from then on, and add nothing;
    /// so does its close(). The same holds after the server has lost some that it had answered. The
    /// server keeps a name for as long as the queue. Default: empty, no name.
    std::string_view producer = {};
};

static_assert(std::is_trivially_destructible_v<
              queue_options>);  // see sluice::queue_options

}  // namespace sluice::redis
