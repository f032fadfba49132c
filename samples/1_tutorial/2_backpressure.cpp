// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows what the capacity is for: a fast producer meets a slow consumer, and the queue
// makes the producer wait instead of filling the memory. Whoever must not wait uses
// try_enqueue and decides for itself what to do with an element that was turned away.
// Expect: the most elements that were ever stored for four capacities, then how many of
// 100 requests an impatient producer got rid of.
// Explained before: enqueue, next and close (1_first_queue).

#include <sluice.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

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
    asio::steady_timer nap{co_await asio::this_coro::executor};
    do {
        nap.expires_after(1ms);
        co_await nap.async_wait(asio::use_awaitable);
    } while (co_await items.next());
}

std::size_t most_stored(std::size_t capacity)
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> items{pool, {.capacity = capacity}};
    std::size_t most = 0;
    asio::co_spawn(pool.get_executor(), produce(items, most), asio::detached);
    pool.run([&] { return consume_slowly(items); });
    return most;
}

int main()
{
    std::cout << "unbounded:   " << most_stored(sluice::unbounded) << " stored\n";
    std::cout << "capacity 8:  " << most_stored(8) << " stored\n";
    std::cout << "capacity 1:  " << most_stored(1) << " stored\n";
    std::cout << "rendezvous:  " << most_stored(0) << " stored\n";

    //[try_enqueue
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> requests{pool, {.capacity = 8}};
    int turned_away = 0;
    for (int request = 0; request < 100; ++request) {
        if (!requests.try_enqueue(int{request}))  // false: the request is still ours
            ++turned_away;
    }
    std::cout << requests.size() << " accepted, " << turned_away << " turned away\n";
    //]
}
