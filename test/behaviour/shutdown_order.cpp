// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// P3, P12: whatever is destroyed first, no operation hangs, nothing leaks, nothing runs after
// the death of its context. Leaks and dead memory are seen by the sanitizers.

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <thread>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::counted;
using test::record;

namespace shutdown_order {

struct order_fixture : test::counted_fixture, test::io_fixture
{
    // Tasks that wait for what there is to wait for, each holding an element.
    void spawn_tasks(sluice::coordinator& scope)
    {
        scope.spawn("timer", [own = counted(1)] { return test::until_stopped(); });
        scope.spawn("queue", [this, own = counted(2)]() -> asio::awaitable<void> {
            co_await queue.dequeue();
        });
        scope.spawn("scope", [&scope, own = counted(3)]() -> asio::awaitable<void> {
            co_await scope.wait_for_stop();
        });
    }

    std::unique_ptr<asio::io_context> context = std::make_unique<asio::io_context>();
    sluice::fifo_queue<counted> queue{*context, {.capacity = sluice::unbounded}};
};

}  // namespace shutdown_order

BOOST_FIXTURE_TEST_SUITE(shutdown_order, order_fixture)

// the context goes first

BOOST_AUTO_TEST_CASE(operations_on_a_scope_die_with_the_context_of_their_handlers)
{
    sluice::coordinator coord{ctx};
    spawn_tasks(coord);
    run();
    const auto join = coord.async_join(record.on(context->get_executor()));
    const auto stop = coord.async_wait_for_stop(record.on(context->get_executor()));

    context.reset();
    join.check_abandoned();
    stop.check_abandoned();
    coord.request_stop();
    run();

    BOOST_TEST(coord.tasks().empty());
}

BOOST_AUTO_TEST_CASE(join_elsewhere_does_not_wait_for_tasks_of_a_dead_context)
{
    sluice::coordinator coord{*context};
    spawn_tasks(coord);
    test::run_dry(*context);
    const auto join = coord.async_join(record.on(ctx.get_executor()));
    run();
    join.check_pending();

    context.reset();
    run();

    join.check_success();
}

// the coordinator goes first

BOOST_AUTO_TEST_CASE(coordinator_may_be_destroyed_as_soon_as_join_has_returned)
{
    // The thread that ends the last task is still on its way out when the waiter goes on.
    sluice::io_context_pool pool{2};
    for (int round = 0; round != 300; ++round) {
        auto coord = std::make_unique<sluice::coordinator>(pool);
        coord->spawn("task", []() -> asio::awaitable<void> { co_return; });
        coord->async_join(asio::use_future).get();
        coord.reset();
    }
    BOOST_TEST(pool.size() == 2u);
}

BOOST_AUTO_TEST_CASE(coordinator_may_be_destroyed_as_soon_as_the_stop_has_been_seen)
{
    sluice::io_context_pool pool{2};
    for (int round = 0; round != 300; ++round) {
        auto coord = std::make_unique<sluice::coordinator>(pool);
        auto stopped = coord->async_wait_for_stop(asio::use_future);
        sluice::coordinator* const scope = coord.get();
        coord->spawn("task", [scope]() -> asio::awaitable<void> {
            scope->request_stop();
            co_return;
        });
        stopped.get();
        coord->async_join(asio::use_future).get();
        coord.reset();
    }
    BOOST_TEST(pool.size() == 2u);
}

BOOST_AUTO_TEST_CASE(coordinator_may_be_destroyed_while_the_request_is_on_its_way_out)
{
    sluice::io_context_pool pool{2};
    for (int round = 0; round != 300; ++round) {
        auto coord = std::make_unique<sluice::coordinator>(pool);
        auto stopped = coord->async_wait_for_stop(asio::use_future);
        const std::jthread asks([scope = coord.get()] { scope->request_stop(); });
        stopped.get();
        coord.reset();
    }
    BOOST_TEST(pool.size() == 2u);
}

// many threads

BOOST_AUTO_TEST_SUITE_END()
