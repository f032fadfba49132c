// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows three ways to limit a wait. Whichever ends it, no element is lost: one that was
// already delivered returns to the front of the queue.
// Expect: three timeouts, then the element that came too late, unharmed.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <chrono>
#include <iostream>
#include <string>

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<std::string> letters{pool, {.capacity = 4}};

    //[within
    // A deadline of the operation itself; it throws errc::timed_out.
    try {
        std::cout << co_await letters.dequeue().within(10ms) << '\n';
    } catch (const sluice::system_error& error) {
        std::cout << "no letter: " << (error.code() == sluice::errc::timed_out) << '\n';
    }

    // The same without an exception, and with a point in time.
    const auto deadline = std::chrono::steady_clock::now() + 10ms;
    auto [error, letter] = co_await letters.dequeue().until(deadline).as_tuple();
    if (error == sluice::errc::timed_out)
        std::cout << "still no letter: " << letter.has_value() << '\n';
    //]

    //[race
    // A race with any other Asio operation: the loser is cancelled. Asio runs the branches
    // side by side, so on a pool of several threads they need a strand.
    auto race = [&]() -> asio::awaitable<std::size_t> {
        asio::steady_timer timer{co_await asio::this_coro::executor, 10ms};
        const auto winner = co_await (
            letters.async_dequeue(asio::use_awaitable) ||
            timer.async_wait(asio::use_awaitable)
        );
        co_return winner.index();
    };
    const auto strand = asio::make_strand(pool.get_executor());
    const auto index = co_await asio::co_spawn(strand, race, asio::use_awaitable);
    std::cout << "the timer won: " << index << '\n';
    //]

    co_await letters.enqueue("better late than never");
    std::cout << co_await letters.dequeue().within(10ms) << '\n';
}
