// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/transports.hpp"
#include <sluice/error.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

// What a runner adds to the operation that it repeats.

namespace sluice::bench {
namespace {

using boost::asio::awaitable;

void expect(std::size_t done, std::size_t items)
{
    if (done != items)
        throw std::runtime_error("a benchmark has not done its work");
}

double trivial_by_hand(std::size_t items)
{
    boost::asio::io_context context(1);
    std::size_t done = 0;
    const auto operation = [&]() -> awaitable<void> {
        ++done;
        co_return;
    };
    const auto body = [&]() -> awaitable<void> {
        while (done < items)
            co_await operation();
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    expect(done, items);
    return taken;
}

double trivial_by_runner(std::size_t items)
{
    boost::asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = 64});
    std::size_t done = 0;
    queue_runner runner(queue, [&]() -> awaitable<void> {
        if (done == items)
            throw system_error(errc::end_of_queue);
        ++done;
        co_return;
    });
    runner.start(context);
    const double taken = run(context, 1);
    expect(done, items);
    return taken;
}

double pass_by_hand(std::size_t items)
{
    return pass<sluice_queue>({64, 1, 1, 1}, items);
}

double pass_by_runners(std::size_t items)
{
    boost::asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = 64});
    fifo_queue<item> end(context, {.capacity = 1});
    item next = 0;
    item sum = 0;
    queue_runner producer(queue, [&]() -> awaitable<void> {
        if (next == items)
            throw system_error(errc::end_of_queue);
        co_await queue.enqueue(next);
        ++next;
    });
    queue_runner consumer(end, [&]() -> awaitable<void> {
        sum += co_await queue.dequeue();
    });
    producer.start(context);
    consumer.start(context);
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

}  // namespace

std::vector<scenario> runners()
{
    return {
        {.name = "runner_trivial",
         .what = "a queue_runner repeats an operation that does nothing",
         .contestants =
             {{ours, trivial_by_runner},
              {"a loop that awaits the operation", trivial_by_hand}}},
        {.name = "runner_1x1_64_1",
         .what = "as 1x1_64_1, the operations repeated by runners",
         .contestants =
             {{ours, pass_by_runners}, {"coroutines with a loop", pass_by_hand}}}
    };
}

}  // namespace sluice::bench
