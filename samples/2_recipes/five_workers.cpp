// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows five workers in one scope, any of which may ask all to stop: they draw
// tickets, and the one that draws number 100 requests the stop.
// Expect: "ticket 100: stop", then "all five have ended".

#include "../co_main.hpp"

#include <atomic>
#include <chrono>
#include <iostream>
#include <string>

using namespace std::chrono_literals;

//[five_workers
asio::awaitable<void> work(sluice::coordinator& tasks, std::atomic<int>& tickets)
{
    while (!tasks.should_stop()) {
        if (++tickets == 100) {
            std::cout << "ticket 100: stop\n";
            tasks.request_stop();
        }
        co_await sluice::sleep_for(1ms);  // the stop ends this wait
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    std::atomic<int> tickets = 0;
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        for (int i = 1; i <= 5; ++i)
            tasks.spawn("worker " + std::to_string(i), work(tasks, tickets));
    });
    std::cout << "all five have ended\n";
}
//]
