// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/workload.hpp"
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <functional>
#include <queue>
#include <stdexcept>
#include <vector>

// Queues whose order costs something, beside their stores without a queue around them.

namespace sluice::bench {
namespace {

constexpr std::size_t stored = 10'000;

// In an order that is neither that of a heap nor its reverse.
item scrambled(std::size_t index)
{
    return index * std::size_t{0x9E3779B97F4A7C15};
}

item sum_of_scrambled(std::size_t count)
{
    return count * (count - 1) / 2 * std::size_t{0x9E3779B97F4A7C15};
}

void expect_all(item sum, std::size_t items)
{
    // The sums are those of integers modulo 2^64, where count * (count - 1) is exact.
    if (sum != sum_of_scrambled(items + stored))
        throw std::runtime_error("a benchmark has lost items");
}

// One coroutine enqueues and dequeues in turn, with so many other elements in the queue.
template <class Queue>
double in_turn_above(std::size_t items, typename Queue::options_type options)
{
    boost::asio::io_context context(1);
    Queue queue(context, std::move(options));
    for (std::size_t i = 0; i < stored; ++i)
        if (!queue.try_enqueue(scrambled(i)))
            throw std::runtime_error("no room in a queue");
    item sum = 0;
    const auto body = [&]() -> boost::asio::awaitable<void> {
        for (std::size_t i = stored; i < stored + items; ++i) {
            co_await queue.enqueue(scrambled(i));
            sum += co_await queue.dequeue();
        }
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    while (const auto left = queue.try_dequeue())
        sum += *left;
    expect_all(sum, items);
    return taken;
}

template <class Push, class Pop>
double bare(std::size_t items, Push push, Pop pop)
{
    for (std::size_t i = 0; i < stored; ++i)
        push(scrambled(i));
    item sum = 0;
    const auto start = bench_clock::now();
    for (std::size_t i = stored; i < stored + items; ++i) {
        push(scrambled(i));
        sum += pop();
    }
    const double taken = since(start);
    for (std::size_t i = 0; i < stored; ++i)
        sum += pop();
    expect_all(sum, items);
    return taken;
}

double bare_heap(std::size_t items)
{
    std::priority_queue<item, std::vector<item>, std::greater<>> heap;
    return bare(
        items,
        [&](item value) { heap.push(value); },
        [&] {
            const item least = heap.top();
            heap.pop();
            return least;
        }
    );
}

double bare_shuffle(std::size_t items)
{
    shuffle_store<item> store({.capacity = unbounded, .seed = 1});
    return bare(
        items,
        [&](item value) { store.push(std::move(value)); },
        [&] { return store.pop(); }
    );
}

}  // namespace

std::vector<scenario> stores()
{
    return {
        {.name = "shuffle_10000",
         .what = "as in_turn, a shuffle_queue with 10,000 elements",
         .contestants =
             {{ours,
               [](std::size_t items) {
                   return in_turn_above<shuffle_queue<item>>(
                       items,
                       {.capacity = unbounded, .seed = 1}
                   );
               }},
              {"the store alone", bare_shuffle}}},
        {.name = "priority_10000",
         .what = "as in_turn, a priority_queue with 10,000 elements",
         .contestants =
             {{ours,
               [](std::size_t items) {
                   return in_turn_above<priority_queue<item>>(
                       items,
                       {.capacity = unbounded}
                   );
               }},
              {"std::priority_queue alone", bare_heap}}}
    };
}

}  // namespace sluice::bench
