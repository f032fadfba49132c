// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Handler tracking, which changes the classes of Asio that operations are made of.

#define BOOST_ASIO_ENABLE_HANDLER_TRACKING

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<void> use(sluice::fifo_queue<int>& q, sluice::coordinator& coord)
{
    co_await q.enqueue(1);
    co_await q.dequeue().within(1ms).as_tuple();
    co_await sluice::select(q.dequeue(), q.dequeue_many(2));
    q.async_dequeue(asio::detached);
    co_await coord.join();
}
