// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: deleted (function|constructor)
// Waiting operations refer to their queue, so it stays where it is.

#include <sluice/queue/fifo_queue.hpp>

#include <utility>

#ifdef SLUICE_CONTROL
sluice::fifo_queue<int>& take(sluice::fifo_queue<int>& queue)
{
    return queue;
}
#else
sluice::fifo_queue<int> take(sluice::fifo_queue<int>& queue)
{
    return std::move(queue);
}
#endif
