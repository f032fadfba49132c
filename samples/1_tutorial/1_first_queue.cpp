// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a bounded queue between two tasks: the producer enqueues numbers and closes the
// queue, the consumer prints their squares until the queue ends. Both belong to a scope, which
// ends when they have ended. Neither task ever blocks a thread.
// Expect: 1, 4, 9, 16 and 25, one per line.

#include <sluice.hpp>

#include <iostream>

using boost::asio::awaitable;

int main()
{
    sluice::io_context_pool pool{2};  // an io_context and two threads
    sluice::fifo_queue<int> numbers{pool, {.capacity = 2}};

    pool.run(sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("producer", [&]() -> awaitable<void> {
            for (int n = 1; n <= 5; ++n)
                co_await numbers.enqueue(n);  // suspends while the queue is full
            numbers.close();                  // no more elements will follow
        });
        tasks.spawn("consumer", [&]() -> awaitable<void> {
            while (auto n = co_await numbers.next())  // empty once closed and drained
                std::cout << *n * *n << '\n';
        });
    }));  // both have ended; throws the error of a task
}
