// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows the operations that move several elements at once, and how they differ when
// fewer are left than asked for. A batch may be larger than the capacity of the queue.
// Expect: one line for each batch.
// Explained before: queues (1_first_queue) and scopes of tasks (3_coordinator).

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>

#include <iostream>
#include <numeric>
#include <string_view>
#include <vector>

namespace asio = boost::asio;

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
    co_await numbers.enqueue_many(all);  // contiguous, although 19 exceeds the capacity
    numbers.close();
}

asio::awaitable<void> take(sluice::fifo_queue<int>& numbers)
{
    //[batches
    // Exactly 10: waits for all of them, although the queue never stores more than 8.
    print("dequeue_many(10):", co_await numbers.dequeue_many(10));

    // At least one and at most 3: what is stored now, without waiting for more.
    const std::vector<int> some = co_await numbers.dequeue_some(3);
    std::cout << "dequeue_some(3): between 1 and 3\n";

    // Exactly 10 while the queue is open; once it is closed, what is left.
    co_await numbers.dequeue_many(4 - some.size());
    print("dequeue_up_to(10):", co_await numbers.dequeue_up_to(10));

    // Closed, and fewer than 10 are left: end_of_queue. They would stay in the queue.
    auto [error, batch] = co_await numbers.dequeue_many(10).as_tuple();
    if (error == sluice::errc::end_of_queue)
        std::cout << "dequeue_many(10): end of the queue\n";
    //]
}

int main()
{
    sluice::io_context_pool pool{2};
    sluice::fifo_queue<int> numbers{pool, {.capacity = 8}};
    pool.run(sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("counter", count_to(19, numbers));
        return take(numbers);
    }));
}
