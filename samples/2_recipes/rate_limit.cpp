// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a rate limit, as a token bucket: a token comes every 5 ms, and up to three are kept for a
// burst. Each request takes one, from any task.
// Expect: three requests at once, then one per token.

#include "../co_main.hpp"

#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[rate_limit
    sluice::fifo_queue<char> tokens{pool, {.capacity = 3, .name = "tokens"}};
    while (tokens.try_enqueue('t'))
        ;  // full at the beginning
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        sluice::looper refill{tasks, 5ms, [&]() -> asio::awaitable<void> {
                                  (void)tokens.try_enqueue('t'
                                  );  // what does not fit is gone
                                  co_return;
                              }};
        const auto begin = std::chrono::steady_clock::now();
        for (int request = 1; request <= 8; ++request) {
            co_await tokens.dequeue();
            std::cout << "request " << request << '\n';
        }
        const bool is_slow = std::chrono::steady_clock::now() - begin >= 15ms;
        std::cout << (is_slow ? "no faster than allowed\n" : "too fast\n");
        tasks.request_stop();
    });
    //]
}
