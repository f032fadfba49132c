// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>

#include <iostream>

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> queue{pool, {.capacity = 1, .name = "answers"}};

    pool.run([&]() -> boost::asio::awaitable<void> {
        co_await queue.enqueue(42);
        std::cout << "took " << co_await queue.dequeue() << '\n';
    });
}
