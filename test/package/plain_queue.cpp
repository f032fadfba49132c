// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program with a queue and no coordinator, to look at what is linked with it.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>

namespace asio = boost::asio;

int main()
{
    asio::io_context context;
    sluice::fifo_queue<int> numbers{context, {.capacity = 2}};
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            for (int n = 1; n <= 5; ++n)
                co_await numbers.enqueue(n);
            numbers.close();
        },
        asio::detached
    );
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            while (auto n = co_await numbers.next())
                std::printf("%d\n", *n * *n);
        },
        asio::detached
    );
    context.run();
}
