// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows the other doors to a queue: a callback that asks for the next element each time,
// and a plain thread that waits. Any completion token of Asio works like the callback.
// Expect: "1 squared is 1" to "3 squared is 9", then "end of the queue".

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <iostream>
#include <optional>
#include <thread>

using int_queue = sluice::fifo_queue<int>;

//[callback
void square_all(int_queue& numbers, int_queue& squares)
{
    numbers.async_dequeue([&](sluice::error_code error, std::optional<int> number) {
        if (error) {  // most often the end of the queue; `number` is empty
            squares.close();
            return;
        }
        squares.async_enqueue(*number * *number, [&](sluice::error_code refused) {
            if (!refused)
                square_all(numbers, squares);
        });
    });
}
//]

//[thread
void ask_from_a_thread(int_queue& numbers, int_queue& squares)
{
    for (int number : {1, 2, 3}) {
        sluice::sync_wait(numbers.enqueue(number));
        std::cout << number << " squared is " << sluice::sync_wait(squares.dequeue())
                  << '\n';
    }
    numbers.close();
    if (!sluice::sync_wait(squares.next()))  // what co_await would give
        std::cout << "end of the queue\n";
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    int_queue numbers{pool, {.capacity = 1}};
    int_queue squares{pool, {.capacity = 1}};
    square_all(numbers, squares);

    // The thread tells the coroutine that it is done through a queue, too.
    sluice::fifo_queue<bool> done{pool, {.capacity = 1}};
    std::jthread thread{[&] {
        ask_from_a_thread(numbers, squares);
        done.close();
    }};
    co_await done.next();
}
