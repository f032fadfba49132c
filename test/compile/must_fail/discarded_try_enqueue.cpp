// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: unused-result|nodiscard
// Whether the element went in is known from the result only.

#include <sluice/queue/fifo_queue.hpp>

void put(sluice::fifo_queue<int>& queue)
{
#ifdef SLUICE_CONTROL
    (void)queue.try_enqueue(1);
#else
    queue.try_enqueue(1);
#endif
}
