// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows the operations that move several elements at once, and in what they differ when
// there are fewer than asked for. A batch may be larger than the capacity of the queue.
// Expect: one line for each batch.
// Explained before: queues (1_first_queue).

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <iostream>
#include <numeric>
#include <string_view>
#include <vector>

void print(std::string_view operation, const std::vector<int>& batch)
{
    std::cout << operation;
    for (int element : batch)
        std::cout << ' ' << element;
    std::cout << '\n';
}

asio::awaitable<void> count_to(int last, sluice::fifo_queue<int>& numbers)
{
    std::vector<int> all(static_cast<std::size_t>(last));
    std::iota(all.begin(), all.end(), 1);
    co_await numbers.enqueue_many(all);  // one batch: no other producer comes between
    numbers.close();
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::fifo_queue<int> numbers{pool, {.capacity = 8}};
    asio::co_spawn(pool.get_executor(), count_to(19, numbers), asio::detached);

    //[batches
    // Exactly n, waiting for all of them; n may exceed the capacity.
    print("dequeue_many(10):", co_await numbers.dequeue_many(10));

    // At least one and at most n: what is there, without waiting for more.
    const std::vector<int> some = co_await numbers.dequeue_some(3);
    std::cout << "dequeue_some(3): between 1 and 3\n";

    // Exactly n while the queue is open; what is left once it is closed.
    co_await numbers.dequeue_many(4 - some.size());
    print("dequeue_up_to(10):", co_await numbers.dequeue_up_to(10));

    // Closed and short: end_of_queue. (Fewer elements would have stayed in the queue.)
    auto [error, batch] = co_await numbers.dequeue_many(10).as_tuple();
    if (error == sluice::errc::end_of_queue)
        std::cout << "dequeue_many(10): end of the queue\n";
    //]
}
