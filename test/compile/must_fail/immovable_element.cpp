// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: the elements of a queue need a move constructor [^\n]* let the queue have
// Elements move in and out of a queue.

#include <sluice/queue/fifo_queue.hpp>

#include <memory>
#include <mutex>

#ifdef SLUICE_CONTROL
using element = std::unique_ptr<std::mutex>;
#else
using element = std::mutex;
#endif

auto take(sluice::fifo_queue<element>& queue)
{
    return queue.dequeue();
}
