// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program may have turned off what Asio only keeps for compatibility.
#define BOOST_ASIO_NO_TS_EXECUTORS

#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

namespace {

[[maybe_unused]] boost::asio::awaitable<int> pass(sluice::fifo_queue<int>& queue)
{
    co_await queue.enqueue(1);
    co_return co_await queue.dequeue();
}

}  // namespace
