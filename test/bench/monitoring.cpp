// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/task.hpp"
#include "bench/workload.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

// What it costs a program of a hundred queues to be watched.

namespace sluice::bench {
namespace {

using boost::asio::awaitable;

enum class watching
{
    none,
    registered,
    looked_at  // four times a second, as a page does
};

awaitable<void> look_at(const monitor& watch)
{
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    for (;;) {
        (void)watch.snapshot();
        timer.expires_after(std::chrono::milliseconds(250));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
}

// A producer and a consumer for each queue. The capacity is small, so that they often wait.
template <watching How>
double pass_through_hundred(std::size_t items)
{
    constexpr std::size_t queues = 100;
    const std::size_t share = items / queues;
    boost::asio::io_context context(1);
    std::deque<fifo_queue<item>> all;
    coordinator tasks(context);
    coordinator looking(context);
    monitor watch(context);
    item sum = 0;
    const auto produce = [&](fifo_queue<item>& to, item from) -> awaitable<void> {
        for (item n = from; n < from + share; ++n)
            co_await to.enqueue(n);
        to.close();
    };
    const auto consume = [&](fifo_queue<item>& from) -> awaitable<void> {
        while (const auto taken = co_await from.next())
            sum += *taken;
    };
    for (std::size_t i = 0; i < queues; ++i) {
        auto& queue = all.emplace_back(context, queue_options{.capacity = 4});
        if constexpr (How != watching::none)
            watch.add(queue);
        tasks.spawn("producer", produce(queue, i * share));
        tasks.spawn("consumer", consume(queue));
    }
    if constexpr (How != watching::none)
        watch.add(tasks);
    if constexpr (How == watching::looked_at)
        looking.spawn("look", look_at(watch));
    boost::asio::co_spawn(
        context,
        [&]() -> awaitable<void> {
            co_await tasks.join();
            looking.request_stop();
        },
        rethrow
    );
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

}  // namespace

std::vector<scenario> monitoring()
{
    const std::string unwatched = "no monitor";
    const std::string registered = "registered";
    const std::string looked_at = "looked at";
    return {
        {.name = "watched_100",
         .what = "100 queues of capacity 4, each with a producer and a consumer that are "
                 "tasks",
         .contestants =
             {{unwatched, pass_through_hundred<watching::none>, 100},
              {registered, pass_through_hundred<watching::registered>, 100},
              {looked_at, pass_through_hundred<watching::looked_at>, 100}},
         .bars =
             {{"of the speed without a monitor", registered, unwatched, 0.99},
              {"of the speed without a monitor, at four looks a second",
               looked_at,
               unwatched,
               0.98}}}
    };
}

}  // namespace sluice::bench
