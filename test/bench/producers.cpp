// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/transports.hpp"
#include "bench/work.hpp"
#include <sluice/input/producer.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// A producer whose function works 20 microseconds on every item: what a second worker gains, and
// what the order costs.

namespace sluice::bench {
namespace {

constexpr std::size_t capacity = 64;
constexpr std::size_t microseconds = 20;

double produce(std::size_t workers, bool ordered, std::size_t items)
{
    using boost::asio::awaitable;
    static const std::size_t steps = microseconds * steps_in_microsecond();
    boost::asio::io_context context(2);
    fifo_queue<item> numbers(context, {.capacity = capacity});
    producer<item> results(
        context,
        numbers,
        [](item value) { return value + (work(value, steps) == 0 ? 1 : 0); },
        {.workers = workers, .ordered = ordered, .capacity = capacity}
    );
    item sum = 0;
    const auto feed = [&]() -> awaitable<void> {
        for (item value = 0; value < items; ++value)
            co_await numbers.enqueue(value);
        numbers.close();
    };
    const auto consume = [&]() -> awaitable<void> {
        while (const auto next = co_await results.next())
            sum += *next;
    };
    boost::asio::co_spawn(context, feed, rethrow);
    boost::asio::co_spawn(context, consume, rethrow);
    results.start(context);
    const double taken = run(context, 2);
    check(sum, items);
    return taken;
}

contestant with(const char* name, std::size_t workers, bool ordered)
{
    return {name, [workers, ordered](std::size_t items) {
                return produce(workers, ordered, items);
            }};
}

}  // namespace

std::vector<scenario> producers()
{
    constexpr const char* ordered = "sluice, two workers, ordered";
    constexpr const char* unordered = "sluice, two workers";
    constexpr const char* alone = "sluice, one worker";
    return {
        {.name = "producer_20us_2",
         .what = "a producer with 20 us of work per item, capacity 64, two threads",
         .contestants =
             {with(ordered, 2, true), with(unordered, 2, false), with(alone, 1, false)},
         .bars =
             {{"times as fast as one worker", ordered, alone, 1.7},
              {"of the speed of the unordered one", ordered, unordered, 0.95}}}
    };
}

}  // namespace sluice::bench
