// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: each worker has a copy of the operation, and this one cannot be copied
// Workers run at the same time, so they cannot share one object.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <utility>

void run(sluice::fifo_queue<int>& queue, std::unique_ptr<int> owned)
{
    auto op = [&queue, owned = std::move(owned)]() -> boost::asio::awaitable<void> {
        co_await queue.enqueue(int{*owned});
    };
#ifdef SLUICE_CONTROL
    const sluice::queue_runner runner{queue, std::move(op)};
#else
    const sluice::queue_runner runner{queue, std::move(op), 1};
#endif
}
