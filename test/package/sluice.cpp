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
    return taken == 42 ? 0 : 1;
}
