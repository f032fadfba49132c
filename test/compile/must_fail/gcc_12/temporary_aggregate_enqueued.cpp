// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <utility>

struct job
{
    int number;
    std::string text;
};

boost::asio::awaitable<void> add(sluice::fifo_queue<job>& queue)
{
#ifdef SLUICE_CONTROL
    co_await queue.emplace(1, std::string(60, 'x'));
    job named{2, "text"};
    co_await queue.enqueue(named);
    co_await queue.enqueue(std::ref(named));
#else
    co_await queue.enqueue(job{1, std::string(60, 'x')});
#endif
}
