// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows the smallest program that TensorFlow's documentation had for a queue: take a
// number, add one, put it back.
// Expect: 0 1 2 1 2, one per line.

#include "../co_main.hpp"

#include <array>
#include <iostream>

//[fifo_increment
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<int> queue{pool, {.capacity = 3}};
    std::array first{0, 1, 2};
    co_await queue.enqueue_many(first);

    for (int step = 0; step < 5; ++step) {
        const int number = co_await queue.dequeue();
        std::cout << number << '\n';
        co_await queue.enqueue(number + 1);
    }
}
//]
