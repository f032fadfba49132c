// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: join\(\) cannot be a branch
// Its outcome is the exception of a task, for which the tuple of a select has no place.

#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

auto either(sluice::fifo_queue<int>& queue, sluice::coordinator& coord)
{
#ifdef SLUICE_CONTROL
    return sluice::select(queue.dequeue(), coord.wait_for_stop());
#else
    return sluice::select(queue.dequeue(), coord.join());
#endif
}
