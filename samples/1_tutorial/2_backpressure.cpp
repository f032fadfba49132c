// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows what the capacity is for: the queue makes a fast producer wait for a slow consumer
// instead of filling the memory. A producer that cannot wait uses try_enqueue.
// Expect: the most elements ever stored at four capacities; how many requests were refused.
// Explained before: enqueue, next, close and with_tasks (1_first_queue).

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

//[backpressure
asio::awaitable<void> produce(sluice::fifo_queue<int>& items, std::size_t& most)
{
    for (int item = 0; item < 100; ++item) {
        co_await items.enqueue(item);
        most = std::max(most, items.size());
    }
    items.close();
}

asio::awaitable<void> consume_slowly(sluice::fifo_queue<int>& items)
{
    while (auto item = co_await items.next())
        co_await sluice::sleep_for(1ms);
}

std::size_t most_stored(std::size_t capacity)
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> items{pool, {.capacity = capacity}};
    std::size_t most = 0;
    pool.run(sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("producer", produce(items, most));
        tasks.spawn("consumer", consume_slowly(items));
    }));
    return most;
}
//]

int main()
{
    std::cout << "unbounded:   " << most_stored(sluice::unbounded) << " stored\n";
    std::cout << "capacity 8:  " << most_stored(8) << " stored\n";
    std::cout << "capacity 1:  " << most_stored(1) << " stored\n";
    std::cout << "rendezvous:  " << most_stored(0) << " stored\n";

    //[try_enqueue
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> requests{pool, {.capacity = 8}};
    int refused = 0;
    for (int request = 0; request < 100; ++request)
        refused += !requests.try_enqueue(request);  // false: the request is still ours
    std::cout << requests.size() << " accepted, " << refused << " refused\n";
    //]
}
