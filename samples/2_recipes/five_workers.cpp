// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows five workers under one coordinator, any of which may ask all to stop: they draw
// tickets, and the one that draws number 100 requests the stop.
// Expect: "ticket 100: stop", then "all five have ended".

#include "../co_main.hpp"

#include <atomic>
#include <chrono>
#include <iostream>
#include <string>

using namespace std::chrono_literals;

//[five_workers
asio::awaitable<void> work(sluice::coordinator& coord, std::atomic<int>& tickets)
{
    while (!coord.should_stop()) {
        if (++tickets == 100) {
            std::cout << "ticket 100: stop\n";
            coord.request_stop();
        }
        co_await sluice::sleep_for(1ms);  // the stop ends this wait
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    std::atomic<int> tickets = 0;
    sluice::coordinator coord{pool};
    for (int i = 1; i <= 5; ++i)
        coord.spawn("worker " + std::to_string(i), work(coord, tickets));

    co_await coord.join();
    std::cout << "all five have ended\n";
}
//]
