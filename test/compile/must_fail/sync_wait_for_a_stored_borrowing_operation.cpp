// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: this operation refers to its argument, so it cannot be stored: wait for it
// The temporary dies before the thread waits.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/sync_wait.hpp>

#include <string>
#include <utility>

void store(sluice::fifo_queue<std::string>& queue)
{
#ifdef SLUICE_CONTROL
    auto operation = queue.emplace(40, 'b');
#else
    auto operation = queue.enqueue(std::string(40, 'b'));
#endif
    sluice::sync_wait(std::move(operation));
}
