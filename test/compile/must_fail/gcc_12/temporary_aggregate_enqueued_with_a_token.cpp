// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string>

struct job
{
    std::string text;
};

boost::asio::awaitable<void> add(sluice::fifo_queue<job>& queue)
{
#ifdef SLUICE_CONTROL
    const job named{"text"};
    co_await queue.async_enqueue(named, boost::asio::use_awaitable);
    queue.async_enqueue(job{"text"}, boost::asio::detached);  // is not awaited
#else
    co_await queue.async_enqueue(job{"text"}, boost::asio::use_awaitable);
#endif
}
