// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows two stages that keep their queues filled: one worker counts to ten into the
// first queue, four workers square into the second. A queue runner repeats its operation
// until the input ends. Its last worker then closes the queue, and end-of-stream
// propagates downstream, stage by stage.
// Expect: the sum of the squares of 1 to 10.
// Explained before: queues (1_first_queue) and scopes of tasks (3_coordinator).

#include <sluice.hpp>

#include <iostream>

namespace asio = boost::asio;

int main()
{
    sluice::io_context_pool pool{4};
    sluice::fifo_queue<int> numbers{pool, {.capacity = 4, .name = "numbers"}};
    sluice::fifo_queue<int> squares{pool, {.capacity = 4, .name = "squares"}};

    //[queue_runner
    auto count = [&, number = 0]() mutable -> asio::awaitable<bool> {
        co_await numbers.enqueue(++number);
        co_return number < 10;  // false: the input has ended
    };
    auto square = [&]() -> asio::awaitable<void> {
        auto place = co_await squares.reserve();        // so that a stop loses no element
        const int number = co_await numbers.dequeue();  // its end is the end of our input
        place.fill(number * number);
    };

    sluice::queue_runner counter{numbers, count};
    sluice::queue_runner squarer{squares, square, 4};  // four workers
    const auto add_up = [&](auto& tasks) -> asio::awaitable<int> {
        counter.start(tasks);
        squarer.start(tasks);
        int sum = 0;
        while (auto next = co_await squares.next())
            sum += *next;
        co_return sum;
    };
    const int sum = pool.run(sluice::with_tasks(pool, add_up));  // a failed stage throws
    std::cout << "the squares of 1 to 10 add up to " << sum << '\n';
    //]
}
