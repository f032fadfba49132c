// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: made_here
// The inner one would be forgotten.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

auto either(sluice::fifo_queue<int>& queue)
{
#ifdef SLUICE_CONTROL
    return select(when(true, queue.dequeue()), queue.next());
#else
    return select(when(true, when(false, queue.dequeue())), queue.next());
#endif
}
