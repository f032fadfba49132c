// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows fan-out and fan-in: four workers share a queue of numbers, and their results come together
// in another one. Each queue is closed by the last of its producers, so the end moves on by itself.
// Expect: the sum of the squares from 1 to 100, which is 338350.

#include "../co_main.hpp"

#include <iostream>
#include <string>

using int_queue = sluice::fifo_queue<int>;

//[fan_out
asio::awaitable<void> produce(int_queue& numbers, sluice::feeder /*closes it at the end*/)
{
    for (int number = 1; number <= 100; ++number)
        co_await numbers.enqueue(number);
}

asio::awaitable<void>
square(int_queue& numbers, int_queue& squares, sluice::feeder /*one of four*/)
{
    while (const auto number = co_await numbers.next())
        co_await squares.enqueue(*number * *number);
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    int_queue numbers{pool, {.capacity = 8, .name = "numbers"}};
    int_queue squares{pool, {.capacity = 8, .name = "squares"}};
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.spawn("producer", produce(numbers, sluice::feeder{numbers}));
        {
            const sluice::feeder feeding{squares};  // until all four have a copy
            for (int i = 1; i <= 4; ++i)
                tasks.spawn(
                    "worker " + std::to_string(i),
                    square(numbers, squares, feeding)
                );
        }
        int sum = 0;
        while (const auto square = co_await squares.next())
            sum += *square;
        std::cout << sum << '\n';
    });  // throws the first error of any of them
}
//]
