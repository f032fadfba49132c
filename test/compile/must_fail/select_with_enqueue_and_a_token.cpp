// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: this operation refers to its argument, which may be gone
// A select refers to what its branches refer to.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/detached.hpp>

void start(sluice::fifo_queue<int>& queue)
{
#ifdef SLUICE_CONTROL
    select(queue.dequeue(), queue.emplace(1))(boost::asio::detached);
#else
    select(queue.dequeue(), queue.enqueue(1))(boost::asio::detached);
#endif
}
