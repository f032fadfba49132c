// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace sluice {

/// The capacity of a queue that never makes a producer wait.
inline constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

/// The options of fifo_queue, priority_queue and padding_queue.
struct queue_options
{
    /// How many elements are stored at most, in elements; by default there is no limit. 0
    /// makes a fifo_queue or padding_queue a rendezvous, in which an enqueue completes when
    /// a dequeue takes its element, and is refused by a priority_queue. Memory is taken as
    /// elements arrive, not in advance.
    std::size_t capacity = unbounded;

    /// The name that messages and reports use; need not be unique.
    std::string name = "queue";
};

/// The options of shuffle_queue.
struct shuffle_queue_options
{
    /// How many elements are stored at most, in elements; by default there is no limit. Must
    /// be above `min_after_dequeue`, so 0 is refused.
    std::size_t capacity = unbounded;

    /// How many elements stay behind while the queue is open, in elements, so that there is
    /// something to choose from; must be below `capacity`. Once the queue is closed it counts
    /// for nothing. 0, the default, means that consumers may take all.
    std::size_t min_after_dequeue = 0;

    /// The start of the random sequence; the same seed and the same operations give the
    /// same order on every platform. Empty: a different order each time.
    std::optional<std::uint64_t> seed = std::nullopt;

    /// The name that messages and reports use; need not be unique.
    std::string name = "queue";
};

}  // namespace sluice
