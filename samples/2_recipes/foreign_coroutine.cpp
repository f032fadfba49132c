// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a coroutine type that knows nothing of Asio awaiting a queue. It is resumed on
// the executor of the queue.
// Expect: "the sum is 6".

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <coroutine>
#include <exception>
#include <iostream>

//[foreign_coroutine
// Starts at once, runs to its end by itself.
struct fire_and_forget
{
    struct promise_type
    {
        fire_and_forget get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() { std::terminate(); }
    };
};

fire_and_forget add_up(sluice::fifo_queue<int>& numbers, sluice::fifo_queue<int>& sums)
{
    int sum = 0;
    while (auto number = co_await numbers.next())
        sum += *number;
    co_await sums.enqueue(sum);
    sums.close();
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<int> numbers{pool, {.capacity = 1}};
    sluice::fifo_queue<int> sums{pool, {.capacity = 1}};
    add_up(numbers, sums);

    for (int number : {1, 2, 3})
        co_await numbers.enqueue(number);
    numbers.close();
    while (auto sum = co_await sums.next())
        std::cout << "the sum is " << *sum << '\n';
}
