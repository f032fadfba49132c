// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D14 P9 S15 T10

// The coordinator: the cases of TensorFlow's coordinator_test, and what sluice adds. Left out:
// a join of some threads only, because every task of the scope is supervised, and the second
// form of an error, because errors are exception_ptrs.

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <type_traits>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

namespace coordinator_cases {

std::string text_of(const std::exception_ptr& exception)
{
    return exception ? sluice::test::message_of(exception) : "none";
}

struct scope_fixture : test::io_fixture
{
    ~scope_fixture()
    {
        coord.request_stop();
        gate.close();
        run();
    }

    // What join() reports, if it is complete when all has run dry.
    std::string joined_with()
    {
        const auto join = coord.async_join(record);
        run();
        return join.done() ? text_of(join.exception()) : "the join waits";
    }

    // Cannot be cancelled; ends when the test lets it.
    asio::awaitable<void> stubborn()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await gate.next();
    }

    // Ends when the test opens the gate, or with a stop.
    void spawn_task()
    {
        coord.spawn("task", [this]() -> asio::awaitable<void> { co_await gate.next(); });
    }

    sluice::fifo_queue<int> gate{ctx, {.capacity = sluice::unbounded, .name = "gate"}};
    sluice::coordinator coord{ctx};
};

}  // namespace coordinator_cases

BOOST_FIXTURE_TEST_SUITE(coordinator_cases, scope_fixture)

// TensorFlow's cases

BOOST_AUTO_TEST_CASE(p9_join_names_the_tasks_that_run_when_the_grace_period_ends)
{
    for (const std::chrono::nanoseconds grace : {0ns, 1ns, 2'000'000ns, -1'000'000ns}) {
        sluice::coordinator scope{ctx, {.stop_grace_period = grace}};
        scope.spawn("stopper", [&]() -> asio::awaitable<void> {
            scope.request_stop();
            co_return;
        });
        scope.spawn("sleeper", [this] { return stubborn(); });
        const auto join = scope.async_join(record);
        run_until([&] { return join.done(); });

        join.check_error(errc::tasks_still_running);
        const std::string text = text_of(join.exception());
        BOOST_TEST(
            text.find("'sleeper' waiting on next on queue 'gate'") != std::string::npos
        );
        BOOST_TEST(scope.joined());
        BOOST_TEST(gate.try_enqueue(1));
        run();
        BOOST_TEST(scope.tasks().empty());
    }
}

BOOST_AUTO_TEST_CASE(stop_on_exception_turns_an_exception_into_a_stop)
{
    const auto first = spawn([this]() -> asio::awaitable<int> {
        co_await coord.stop_on_exception(test::fails_with("First"));
        co_return 1;  // execution goes on
    });
    run();
    BOOST_TEST(coord.should_stop());
    const auto second = spawn(coord.stop_on_exception(test::fails_with("Too late")));
    run();

    BOOST_TEST(first.result() == 1);
    BOOST_TEST(second.check_done());
    BOOST_TEST(joined_with() == "First");
}

BOOST_AUTO_TEST_CASE(stop_on_exception_lets_a_clean_end_stop_without_error)
{
    const auto body = spawn(coord.stop_on_exception(gate.async_dequeue(asio::use_awaitable
    )));
    gate.close();
    run();

    BOOST_TEST(body.check_done());
    BOOST_TEST(coord.should_stop());
    BOOST_TEST(joined_with() == "none");
}

BOOST_AUTO_TEST_CASE(stop_on_exception_of_a_joined_scope_is_reported_by_the_next_join)
{
    BOOST_TEST(joined_with() == "none");

    const auto body = spawn(coord.stop_on_exception(test::fails_with("Late")));
    run();

    BOOST_TEST(body.check_done());
    BOOST_TEST(joined_with() == "Late");
}

// tokens and time limits

BOOST_AUTO_TEST_CASE(s15_signatures_with_a_callback)
{
    spawn_task();
    int calls = 0;
    coord.async_wait_for_stop([&](auto error) {
        static_assert(std::is_same_v<decltype(error), sluice::error_code>);
        BOOST_TEST(!error);
        ++calls;
    });
    coord.async_join([&](auto error) {
        static_assert(std::is_same_v<decltype(error), std::exception_ptr>);
        BOOST_TEST(text_of(error) == "broken");
        ++calls;
    });
    BOOST_TEST(calls == 0);

    coord.request_stop(test::error("broken"));
    run();

    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(join_within_is_a_limit_and_the_tasks_go_on)
{
    spawn_task();
    const auto zero = coord.join().within(0s)(record);
    const auto one = coord.join().within(1ms)(record);
    const auto past = coord.join().until(std::chrono::steady_clock::now())(record);
    const auto long_enough = coord.join().within(1h)(record);
    run_until([&] { return one.done(); });
    run();

    for (const auto& join : {zero, one, past})
        join.check_error(errc::timed_out);
    long_enough.check_pending();
    BOOST_TEST(!coord.should_stop());
    BOOST_TEST(!coord.joined());
    BOOST_TEST(coord.tasks().size() == 1u);
    gate.close();
    run();
    long_enough.check_success();
    BOOST_TEST(coord.joined());
}

// queues

BOOST_AUTO_TEST_CASE(queue_that_is_registered_after_the_stop_is_closed_in_its_mode)
{
    sluice::fifo_queue<int> jobs{ctx, {.capacity = 0}};
    const auto waits = jobs.async_enqueue(1, record);
    coord.request_stop();

    coord.close_on_stop(jobs, sluice::close_mode::drain);
    run();
    waits.check_pending();
    coord.close_on_stop(jobs);
    run();

    waits.check_error(errc::queue_closed);
}

// waiting

BOOST_AUTO_TEST_CASE(d14_tasks_spawned_while_a_join_waits_are_waited_for)
{
    coord.spawn("parent", [this]() -> asio::awaitable<void> {
        co_await gate.dequeue();
        coord.spawn("heir", [this]() -> asio::awaitable<void> {
            co_await gate.dequeue();
        });
    });
    const auto join = coord.async_join(record);
    run();

    BOOST_TEST(gate.try_enqueue(1));
    run();
    join.check_pending();
    BOOST_TEST(gate.try_enqueue(2));
    run();

    join.check_success();
}

BOOST_AUTO_TEST_SUITE_END()
