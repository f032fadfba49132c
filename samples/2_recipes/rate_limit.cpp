// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a rate limit, as a token bucket: a token comes every 5 ms, and up to three are kept for a
// burst. Each request takes one, from any task.
// Expect: three requests at once, then one per token.

#include "../co_main.hpp"

#include <chrono>
#include <cstddef>
#include <iostream>

using namespace std::chrono_literals;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    const auto begin = std::chrono::steady_clock::now();
    //[rate_limit
    sluice::fifo_queue<char> tokens{
        pool,
        {.capacity = 3, .overflow = sluice::overflow::drop_newest, .name = "tokens"}
    };
    const auto add = [&]() -> asio::awaitable<void> {
        co_await tokens.enqueue('t');  // never waits: what does not fit is dropped
    };
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        for (std::size_t i = 0; i < tokens.capacity(); ++i)
            co_await add();
        sluice::looper refill{tasks, 5ms, add};
        for (int request = 1; request <= 8; ++request) {
            co_await tokens.dequeue();
            std::cout << "request " << request << '\n';
        }
        tasks.request_stop();
    });
    //]
    const bool is_slow = std::chrono::steady_clock::now() - begin >= 15ms;
    std::cout << (is_slow ? "no faster than allowed\n" : "too fast\n");
}
