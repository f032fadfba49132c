// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue_end.hpp>

#include <cstddef>
#include <cstdint>

namespace sluice {

/// A snapshot of one queue, taken at one moment under its lock.
/**
 * At every moment `enqueued + returned == dequeued + dropped + size + held`, where `held` is what
 * a waiting batch dequeue has taken so far. An element that an overflow or clear() drops counts as
 * enqueued.
 */
struct queue_stats
{
    std::size_t size = 0;      ///< elements stored
    std::size_t capacity = 0;  ///< as constructed
    std::size_t held = 0;      ///< elements held by a batch dequeue that still waits
    std::size_t places = 0;    ///< places that permits keep
    std::size_t waiting_producers = 0;  ///< enqueue operations that wait
    std::size_t waiting_consumers = 0;  ///< dequeue operations that wait
    std::size_t high_water = 0;         ///< the largest size so far
    std::uint64_t enqueued = 0;         ///< elements accepted since construction
    std::uint64_t dequeued = 0;  ///< elements handed to consumers since construction
    std::uint64_t returned = 0;  ///< delivered elements that a cancellation returned
    bool closed = false;         ///< close() has been called
    std::size_t weight =
        0;  ///< of the elements stored; 0 if the queue has no weight limit
    std::size_t weight_limit = 0;  ///< as constructed; `unbounded` if there is none
    std::uint64_t dropped =
        0;  ///< elements that an overflow or clear() dropped since construction
    queue_end end = {};  ///< who closed it, and why
};

}  // namespace sluice
