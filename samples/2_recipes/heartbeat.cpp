// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a looper: a body that is repeated at a fixed interval until a stop is
// requested, here one that prints how full a queue is.
// Expect: three lines, then "stopped".

#include "../co_main.hpp"

#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<int> backlog{pool, {.capacity = 8, .name = "backlog"}};
    //[heartbeat
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        auto beat = [&, beats = 0]() mutable -> asio::awaitable<void> {
            ++beats;
            co_await backlog.enqueue(beats);
            std::cout << backlog.name() << ": " << backlog.size() << " of "
                      << backlog.capacity() << '\n';
            if (beats == 3)
                tasks.request_stop();
        };
        sluice::looper looper{tasks, 10ms, beat};
    });
    //]
    std::cout << "stopped\n";
}
