// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a queue that five workers keep filled with normally distributed random numbers.
// The program takes the few it needs, then stops them.
// Expect: six numbers, different in every run, then "joined".

#include "../co_main.hpp"

#include <iostream>
#include <random>

double random_normal()
{
    thread_local std::mt19937 generator{std::random_device{}()};
    return std::normal_distribution{}(generator);
}

//[random_numbers
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<double> numbers{pool, {.capacity = 100, .name = "numbers"}};
    auto enqueue_one = [&]() -> asio::awaitable<void> {
        co_await numbers.enqueue(random_normal());
    };

    sluice::queue_runner runner{numbers, enqueue_one, 5};
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        runner.start(tasks);
        for (int i = 0; i < 6; ++i)
            std::cout << co_await numbers.dequeue() << '\n';
        tasks.request_stop();
    });
    std::cout << "joined\n";
}
//]
