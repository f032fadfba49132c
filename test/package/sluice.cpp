// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> queue{pool, {.capacity = 1, .name = "answers"}};

    int taken = 0;
    pool.run([&]() -> boost::asio::awaitable<void> {
        co_await queue.enqueue(42);
        taken = co_await queue.dequeue();
    });
    const sluice::summary_writer log{"log"};  // is part of it, and in another library
    return taken == 42 && !log.error() ? 0 : 1;
}
