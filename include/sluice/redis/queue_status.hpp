// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice::redis {

/// A queue at the moment at which the server was asked.
struct queue_status
{
    /// How many elements there are: those that wait, and those that consumers have.
    std::size_t size = 0;

    /// How many of them consumers have and have not acknowledged, or wait for their next delivery;
    /// see queue_options::retry_delay.
    std::size_t leased = 0;

    /// How many there are at most.
    std::size_t capacity = 0;

    /// Whether it is closed to new elements.
    bool is_closed = false;

    /// How long the element has been there that is the next to leave; of a shuffle queue the
    /// oldest. Empty if none waits.
    std::optional<std::chrono::milliseconds> age;

    /// How many have been enqueued so far.
    std::uint64_t enqueued = 0;

    /// How many have been acknowledged so far.
    std::uint64_t acknowledged = 0;

    /// How often an element went back because its consumer returned it, or kept it for longer than
    /// its lease.
    std::uint64_t redelivered = 0;

    /// How many elements have been given up so far.
    std::uint64_t dead = 0;

    /// How many of those are among the dead letters now.
    std::size_t dead_letters = 0;

    /// How many elements the server has lost so far, because keys of the queue were deleted or
    /// evicted. Of a queue that was lost as a whole nothing is left that would know.
    std::uint64_t lost = 0;
};

}  // namespace sluice::redis
