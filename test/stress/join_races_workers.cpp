// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>

// The workers of a runner end while others begin to wait for that, give up, or destroy it. A
// join is told when the queue is closed, and nothing of the operations is used after it.

namespace join_races_workers {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_future;

constexpr std::size_t races = scaled(10'000);

using queue = fifo_queue<int>;

// Uses what it refers to until it ends; `life` is a part of it.
auto numbers(queue& q, const std::shared_ptr<int>& life, dice& chance)
{
    return [&q, life, left = chance.below(4)]() mutable -> awaitable<bool> {
        co_await q.enqueue(*life);
        co_return left-- > 0;
    };
}

void wait_for(std::future<void>& joined)
{
    require(joined.wait_for(patience) == std::future_status::ready, "join() hangs");
    joined.get();
}

awaitable<bool> has_ended(queue_runner& runner, std::chrono::nanoseconds limit)
{
    const auto [failure] = co_await runner.join().within(limit).as_tuple();
    require(
        !failure || sluice::detail::code_of(failure, {}) == errc::timed_out,
        "a join failed, and no worker has"
    );
    co_return !failure;
}

}  // namespace join_races_workers

BOOST_AUTO_TEST_SUITE(join_races_workers)

BOOST_AUTO_TEST_CASE(nothing_of_a_runner_is_left_after_its_join)
{
    io_context_pool pool(2);
    dice chance(1);
    for (std::size_t i = 0; i < races; ++i) {
        const auto life = std::make_shared<int>(1);
        queue q(pool, {.capacity = 16});
        {
            queue_runner runner(q, numbers(q, life, chance), 2);
            runner.start(pool);
            auto first = runner.async_join(use_future);
            dawdle(chance, 2'000);
            auto second = runner.async_join(use_future);
            wait_for(chance.below(2) == 0 ? first : second);
            BOOST_REQUIRE(!runner.is_running());
            BOOST_REQUIRE(q.is_closed());
        }
        BOOST_REQUIRE(life.use_count() == 1);
    }
}

BOOST_AUTO_TEST_CASE(join_that_gives_up_changes_nothing)
{
    io_context_pool pool(2);
    dice chance(2);
    for (std::size_t i = 0; i < races; ++i) {
        const auto life = std::make_shared<int>(1);
        queue q(pool, {.capacity = 16});
        queue_runner runner(q, numbers(q, life, chance), 2);
        runner.start(pool);
        const std::chrono::nanoseconds limit(chance.below(50'000));
        auto ended = co_spawn(pool.context(), has_ended(runner, limit), use_future);
        auto joined = runner.async_join(use_future);
        wait_for(joined);
        if (ended.get())
            BOOST_REQUIRE(q.is_closed());
    }
}

BOOST_AUTO_TEST_CASE(join_waits_on_for_a_runner_that_is_destroyed)
{
    io_context_pool pool(2);
    dice chance(3);
    for (std::size_t i = 0; i < races; ++i) {
        const auto life = std::make_shared<int>(1);
        queue q(pool, {.capacity = 16});
        std::optional<queue_runner>
            runner(std::in_place, q, numbers(q, life, chance), 2U);
        runner->start(pool);
        auto joined = runner->async_join(use_future);
        dawdle(chance, 2'000);
        runner.reset();
        wait_for(joined);
        BOOST_REQUIRE(q.is_closed());
    }
}

BOOST_AUTO_TEST_SUITE_END()
