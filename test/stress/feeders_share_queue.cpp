// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <future>
#include <utility>
#include <vector>

// Several feed one queue, and end at very different times. Nothing is cut off.

namespace feeders_share_queue {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

using queue = fifo_queue<int>;

awaitable<std::size_t> count_all(queue& q)
{
    std::size_t count = 0;
    while (const auto item = co_await q.next())
        ++count;
    co_return count;
}

// Ends after so many, each after a delay.
auto numbers(queue& q, int count, dice& chance)
{
    return [&q, left = count, own = dice(chance.below(1'000'000))](
           ) mutable -> awaitable<bool> {
        dawdle(own, 100);
        co_await q.enqueue(left);
        co_return --left > 0;
    };
}

awaitable<void> feed(queue& q, feeder /*counts*/, int count)
{
    for (; count > 0; --count)
        co_await q.enqueue(count);
}

std::size_t received(std::future<std::size_t>& counted)
{
    require(counted.wait_for(patience) == std::future_status::ready, "the queue is open");
    return counted.get();
}

}  // namespace feeders_share_queue

BOOST_AUTO_TEST_SUITE(feeders_share_queue)

BOOST_AUTO_TEST_CASE(two_runners_of_3_and_of_100_deliver_103)
{
    io_context_pool pool(2);
    dice chance(1);
    for (std::size_t i = 0; i < scaled(10'000); ++i) {
        queue q(pool, {.capacity = chance.below(8)});
        queue_runner few(q, numbers(q, 3, chance));
        queue_runner many(q, numbers(q, 100, chance));
        auto counted = co_spawn(pool.context(), count_all(q), boost::asio::use_future);
        few.start(pool);
        dawdle(chance, 2'000);
        many.start(pool);
        BOOST_REQUIRE(received(counted) == 103u);
        BOOST_REQUIRE(few.exceptions_raised().empty());
        BOOST_REQUIRE(many.exceptions_raised().empty());
    }
}

BOOST_AUTO_TEST_CASE(runners_of_a_coordinator_and_feeders_deliver_all)
{
    io_context_pool pool(2);
    dice chance(2);
    for (std::size_t i = 0; i < scaled(3'000); ++i) {
        queue q(pool, {.capacity = 4});
        coordinator scope(pool);
        queue_runner runner(q, numbers(q, 20, chance), 2);
        auto counted = co_spawn(pool.context(), count_all(q), boost::asio::use_future);
        {
            const feeder feeding{q};
            scope.spawn("first", feed(q, feeding, 3));
            scope.spawn("second", feed(q, feeding, 30));
        }
        runner.start(scope);
        BOOST_REQUIRE(received(counted) == 73u);
        scope.request_stop();
        scope.async_join(boost::asio::use_future).get();
    }
}

BOOST_AUTO_TEST_SUITE_END()
