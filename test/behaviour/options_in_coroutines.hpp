// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// The functions have no linkage, see below; GCC takes that for a mistake in a header.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/with_tasks.hpp>
#include <sluice/error.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

// Objects that are made with `co_await` among the arguments of their constructor, where GCC 12
// destroys the options twice. Compiled without optimization and with it, so each source has
// functions of its own.
namespace {

namespace this_coro = boost::asio::this_coro;

[[maybe_unused]] boost::asio::awaitable<std::string> unnamed_queue()
{
    sluice::fifo_queue<int> q{co_await this_coro::executor, {.capacity = 4}};
    co_await q.enqueue(1);
    co_return q.name() + std::to_string(co_await q.dequeue());
}

[[maybe_unused]] boost::asio::awaitable<std::string> named_queue()
{
    sluice::fifo_queue<int> q{
        co_await this_coro::executor,
        {.capacity = 4, .name = "out"}
    };
    co_await q.enqueue(2);
    co_return q.name() + std::to_string(co_await q.dequeue());
}

[[maybe_unused]] boost::asio::awaitable<std::string> queue_of_a_computed_name(
    std::string prefix
)
{
    sluice::priority_queue<int> q{
        co_await this_coro::executor,
        {.capacity = 4, .name = prefix + ", which is longer than a short string"}
    };
    co_await q.enqueue(3);
    co_return q.name() + std::to_string(co_await q.dequeue());
}

[[maybe_unused]] boost::asio::awaitable<std::string> queue_with_more_options()
{
    sluice::shuffle_queue<int> q{
        co_await this_coro::executor,
        {.capacity = 4, .min_after_dequeue = 0, .seed = 42, .name = "examples"}
    };
    co_await q.enqueue(4);
    co_return q.name() + std::to_string(co_await q.dequeue());
}

[[maybe_unused]] boost::asio::awaitable<std::string> coordinator_with_a_grace_period()
{
    sluice::coordinator c{
        co_await this_coro::executor,
        {.stop_grace_period = std::chrono::seconds(1)}
    };
    c.request_stop();
    co_await c.join();
    co_return "joined";
}

[[maybe_unused]] boost::asio::awaitable<std::string> scope_with_a_grace_period()
{
    const std::string text = "a text that is longer than a short string";
    co_return co_await sluice::with_tasks(
        co_await this_coro::executor,
        {.stop_grace_period = std::chrono::seconds(1)},
        [&](auto& tasks) -> boost::asio::awaitable<std::string> {
            tasks.request_stop();
            co_return text;
        }
    );
}

// Its options have more than one word: lists, and a callable that captures.
[[maybe_unused]] boost::asio::awaitable<std::string> bucketer_of_lists()
{
    const auto read = [n = 0]() mutable -> boost::asio::awaitable<int> {
        if (n == 5)
            throw sluice::system_error(sluice::errc::end_of_queue);
        co_return n++;
    };
    int first = 1;
    sluice::bucketer<int> buckets{
        co_await this_coro::executor,
        read,
        {.length = [&first](int n) { return n + first; },
         .boundaries = {3, 5},
         .batch_sizes = {2, 3, 4},
         .name = std::string("rows, of a name which is longer than a short string")}
    };
    buckets.start(co_await this_coro::executor);
    std::string sizes;
    while (auto next = co_await buckets.next())
        sizes += std::to_string(next->bucket) + std::to_string(next->batch.size()) + " ";
    co_return sizes + buckets.name();
}

[[maybe_unused]] boost::asio::awaitable<void> check_bucketer()
{
    BOOST_TEST(
        co_await bucketer_of_lists() ==
        "02 12 21 rows, of a name which is longer than a short string"
    );
}

[[maybe_unused]] boost::asio::awaitable<void> check_queues()
{
    BOOST_TEST(co_await unnamed_queue() == "queue1");
    BOOST_TEST(co_await named_queue() == "out2");
    BOOST_TEST(
        co_await queue_of_a_computed_name("q") ==
        "q, which is longer than a short string3"
    );
    BOOST_TEST(co_await queue_with_more_options() == "examples4");
}

[[maybe_unused]] boost::asio::awaitable<void> check_coordinator()
{
    BOOST_TEST(co_await coordinator_with_a_grace_period() == "joined");
}

[[maybe_unused]] boost::asio::awaitable<void> check_scope()
{
    BOOST_TEST(
        co_await scope_with_a_grace_period() ==
        "a text that is longer than a short string"
    );
}

}  // namespace
