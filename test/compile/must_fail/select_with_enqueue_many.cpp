// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: enqueue_many cannot be a branch
// Part of the rows may be in the queue when another branch is taken.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <vector>

auto either(sluice::fifo_queue<int>& queue, std::vector<int>& rows)
{
#ifdef SLUICE_CONTROL
    return sluice::select(queue.dequeue(), queue.enqueue(rows.front()));
#else
    return sluice::select(queue.dequeue(), queue.enqueue_many(rows));
#endif
}
