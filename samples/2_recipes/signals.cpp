// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a task that reacts to signals: SIGHUP reloads the settings, SIGTERM stops all tasks
// and is reported. The program sends them to itself.
// Expect: one reload, and the number of the signal that stopped the program.

#include "../co_main.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <iostream>

//[signals
asio::awaitable<void> react(sluice::coordinator& tasks, sluice::fifo_queue<int>& reloads)
{
    const auto executor = co_await asio::this_coro::executor;
    asio::signal_set signals{executor, SIGHUP, SIGTERM};
    (void)reloads.try_enqueue(0);  // the first settings
    for (;;) {
        const int number = co_await signals.async_wait(asio::use_awaitable);
        if (number == SIGTERM) {
            std::cout << "stopped by signal " << number << '\n';
            tasks.request_stop();
        } else {
            (void)reloads.try_enqueue(number);  // if one is on its way, that is enough
        }
    }
}
//]

// Loads the settings as often as it is told to.
asio::awaitable<void> serve(sluice::fifo_queue<int>& reloads)
{
    (void)co_await reloads.dequeue();
    std::cout << "settings loaded\n";
    std::raise(SIGHUP);
    (void)co_await reloads.dequeue();
    std::cout << "settings loaded again\n";
    std::raise(SIGTERM);
    (void)co_await reloads.dequeue();  // the stop ends this wait
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<int> reloads{pool, {.capacity = 1, .name = "reloads"}};
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("signals", react(tasks, reloads));
        tasks.spawn("server", serve(reloads));
    });
}
