// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: unused-result|nodiscard
// An operation does nothing until it is awaited, so throwing it away is a mistake.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

boost::asio::awaitable<void> put(sluice::fifo_queue<int>& queue)
{
#ifdef SLUICE_CONTROL
    co_await queue.enqueue(1);
#else
    queue.enqueue(1);
    co_return;
#endif
}
