// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: an operation is started once: write std::move\(operation\)
// It would be started a second time as easily.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <utility>

boost::asio::awaitable<int> take(sluice::fifo_queue<int>& queue)
{
    auto operation = queue.dequeue();
#ifdef SLUICE_CONTROL
    co_return co_await std::move(operation);
#else
    co_return co_await operation;
#endif
}
