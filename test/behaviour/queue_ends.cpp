// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D21 S52 S53

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue_end.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// What consumers are told when a queue ends (S52), and what a closed queue means to a runner
// (S53). The consumers outside of the coordinator are those that could take a cut for the end.

namespace queue_ends {

using namespace sluice;
using namespace sluice::test;
using asio::awaitable;

using queue = fifo_queue<int>;

struct fixture : io_fixture
{
    // "1 2 3, end" or "1 2, disk full".
    awaitable<std::string> all_of(queue& from)
    {
        std::string seen;
        try {
            while (const auto next = co_await from.next())
                seen += std::to_string(*next) + " ";
            co_return seen + "end";
        } catch (const system_error& error) {
            co_return seen +
                (error.code() == errc::stop_requested ? "stopped" : error.what());
        } catch (const std::exception& error) {
            co_return seen + error.what();
        }
    }

    // The review's case: a reader that fails at its fifth row.
    static std::function<awaitable<bool>()> reader(queue& rows)
    {
        return [n = 0, &rows]() mutable -> awaitable<bool> {
            if (++n == 5)
                throw std::runtime_error("disk error");
            co_await rows.enqueue(n);
            co_return n < 1000;
        };
    }

    std::string error_of(coordinator& group)
    {
        try {
            run_until_done(group.join());
        } catch (const std::exception& error) {
            return error.what();
        }
        return "none";
    }

    queue rows{ctx, {.capacity = 2, .name = "rows"}};
    queue out{ctx, {.capacity = 4, .name = "out"}};
    coordinator scope{ctx};
};

}  // namespace queue_ends

BOOST_FIXTURE_TEST_SUITE(queue_ends, fixture)

// S52 ---------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(reader_that_fails_under_a_coordinator_is_no_end_of_the_input)
{
    queue_runner runner(rows, reader(rows));
    const auto consumer = spawn(all_of(rows));
    runner.start(scope);
    run();
    BOOST_TEST(consumer.result() == "1 2 3 4 disk error");
    BOOST_TEST(error_of(scope) == "disk error");
    BOOST_TEST(scope.exceptions().size() == 1U);
}

BOOST_AUTO_TEST_CASE(stop_without_an_error_is_no_end_of_the_input)
{
    scope.close_on_stop(rows);
    BOOST_TEST(rows.try_enqueue(1));
    scope.request_stop();
    BOOST_TEST(run_until_done(all_of(rows)) == "1 stopped");
    BOOST_TEST(run_until_done(all_of(rows)) == "stopped");
    error_code code;
    BOOST_TEST(!rows.try_dequeue(code).has_value());
    BOOST_TEST(code == errc::stop_requested);
}

BOOST_AUTO_TEST_CASE(message_names_the_operation_the_queue_and_the_stop)
{
    scope.close_on_stop(rows);
    scope.request_stop();
    const auto taker = spawn(rows.dequeue());
    const auto many = spawn(rows.dequeue_many(3));
    const auto some = spawn(rows.dequeue_some(3));
    const auto lingering = spawn(rows.dequeue_up_to(3).linger(std::chrono::hours(1)));
    run();
    const auto begins = [](const auto& spawned, const std::string& with) {
        try {
            (void)spawned.result();
        } catch (const std::exception& error) {
            return std::string(error.what()).starts_with(with);
        }
        return false;
    };
    BOOST_TEST(begins(taker, "dequeue on queue 'rows' (closed by a stop): "));
    BOOST_TEST(begins(many, "dequeue_many(3) on queue 'rows' (closed by a stop): "));
    BOOST_TEST(begins(some, "dequeue_some(3) on queue 'rows' (closed by a stop): "));
    BOOST_TEST(begins(lingering, "dequeue_up_to(3) on queue 'rows' (closed by a stop): ")
    );
}

BOOST_AUTO_TEST_CASE(input_that_had_ended_before_the_stop_is_complete)
{
    scope.close_on_stop(rows);
    BOOST_TEST(rows.try_enqueue(1));
    rows.close();
    scope.request_stop(std::make_exception_ptr(std::runtime_error("elsewhere")));
    BOOST_TEST(run_until_done(all_of(rows)) == "1 end");
    BOOST_TEST((rows.stats().end.by == closer::caller));
    BOOST_TEST(error_of(scope) == "elsewhere");
}

BOOST_AUTO_TEST_CASE(stop_that_fails_enqueues_of_a_closed_queue_cuts_it_off)
{
    scope.close_on_stop(rows);
    BOOST_TEST(rows.try_enqueue(1));
    BOOST_TEST(rows.try_enqueue(2));
    const auto waits = spawn([&]() -> awaitable<void> {
        const auto [error] = co_await rows.enqueue(3).as_tuple();
        BOOST_TEST(error == errc::queue_closed);
    });
    run();
    rows.close();
    scope.request_stop();
    run();
    waits.check_done();
    BOOST_TEST(run_until_done(all_of(rows)) == "1 2 stopped");
}

BOOST_AUTO_TEST_CASE(place_that_is_open_at_the_stop_makes_a_closed_queue_cut_off)
{
    scope.close_on_stop(rows);
    auto place = rows.try_reserve();
    rows.close();
    scope.request_stop();
    place.drop();
    BOOST_TEST(run_until_done(all_of(rows)) == "stopped");
}

BOOST_AUTO_TEST_CASE(stop_that_drains_ends_with_what_was_accepted)
{
    scope.close_on_stop(rows, close_mode::drain);
    BOOST_TEST(rows.try_enqueue(1));
    BOOST_TEST(rows.try_enqueue(2));
    const auto waits = spawn([&]() -> awaitable<void> { co_await rows.enqueue(3); });
    run();
    scope.request_stop();
    BOOST_TEST(run_until_done(all_of(rows)) == "1 2 3 end");
    waits.check_done();
    BOOST_TEST(!rows.stats().end.cut_off);
}

// The runner registers its queue as well, with cancel_pending.
BOOST_AUTO_TEST_CASE(
    runner_whose_queue_is_registered_to_drain_before_ends_with_what_was_accepted
)
{
    queue_runner runner(rows, [&]() -> awaitable<void> { co_await rows.enqueue(1); });
    scope.close_on_stop(rows, close_mode::drain);
    runner.start(scope);
    run();
    scope.request_stop();
    run();
    BOOST_TEST(run_until_done(all_of(rows)) == "1 1 end");
}

BOOST_AUTO_TEST_CASE(error_behind_a_stop_that_drains_is_told)
{
    scope.close_on_stop(rows, close_mode::drain);
    BOOST_TEST(rows.try_enqueue(1));
    scope.request_stop(std::make_exception_ptr(std::runtime_error("disk error")));
    BOOST_TEST(run_until_done(all_of(rows)) == "1 disk error");
    BOOST_TEST(error_of(scope) == "disk error");
}

// Inside of the group -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(tasks_that_are_told_the_error_add_none)
{
    scope.close_on_stop(rows);
    for (int i = 0; i < 3; ++i)
        scope.spawn("consumer", [&]() -> awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));
            while (co_await rows.next()) {}
        });
    scope.spawn("by code", [&]() -> awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        const auto [error, next] = co_await rows.next().as_tuple();
        if (error)
            throw system_error(error);
    });
    run();
    scope.spawn("failing", []() -> awaitable<void> {
        throw std::runtime_error("disk error");
        co_return;
    });
    run();
    BOOST_TEST(error_of(scope) == "disk error");
    BOOST_TEST(scope.exceptions().size() == 1U);
}

BOOST_AUTO_TEST_CASE(error_goes_to_the_queues_of_children_and_is_none_of_theirs)
{
    coordinator child(scope);
    child.close_on_stop(rows);
    child.spawn("consumer", [&]() -> awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        (void)co_await rows.next();
    });
    run();
    scope.request_stop(std::make_exception_ptr(std::runtime_error("disk error")));
    run();
    BOOST_TEST(run_until_done(all_of(rows)) == "disk error");
    BOOST_TEST(error_of(child) == "none");
    BOOST_TEST(error_of(scope) == "disk error");
    BOOST_TEST(scope.exceptions().size() == 1U);
    BOOST_TEST((rows.stats().end.by == closer::parent));
}

// A stage outside of the group passes the cut on: what it made of it is not all either.
BOOST_AUTO_TEST_CASE(runner_whose_input_was_cut_off_cuts_off_its_queue)
{
    for (const bool is_supervised : {false, true}) {
        queue from(ctx, {.capacity = 2, .name = "from"});
        queue to(ctx, {.capacity = 4, .name = "to"});
        coordinator producers(ctx);
        producers.close_on_stop(from);
        BOOST_TEST(from.try_enqueue(1));
        queue_runner stage(to, [&]() -> awaitable<void> {
            co_await to.enqueue(co_await from.dequeue());
        });
        is_supervised ? stage.start(scope) : stage.start(ctx);
        run();
        producers.request_stop();
        run();
        BOOST_TEST(run_until_done(all_of(to)) == "1 stopped");
        BOOST_TEST(stage.exceptions_raised().empty());
        BOOST_TEST(!scope.should_stop());
    }
    BOOST_TEST(error_of(scope) == "none");
}

// S53 ---------------------------------------------------------------------------------------

struct side_output : fixture
{
    // Puts each element into `audit`, too.
    std::function<awaitable<void>()> stage()
    {
        return [this]() -> awaitable<void> {
            const int element = co_await in.dequeue();
            co_await audit.enqueue(element);
            co_await out.enqueue(element);
        };
    }

    void feed(int count)
    {
        for (int i = 0; i < count; ++i)
            BOOST_TEST_REQUIRE(in.try_enqueue(i));
        in.close();
    }

    queue in{ctx, {.capacity = 100, .name = "in"}};
    queue audit{ctx, {.capacity = 2, .name = "audit"}};
};

BOOST_FIXTURE_TEST_CASE(side_queue_that_is_closed_is_a_failure_of_the_runner, side_output)
{
    feed(10);
    scope.spawn("auditor", [&]() -> awaitable<void> {
        for (int i = 0; i < 3; ++i)
            (void)co_await audit.dequeue();
        audit.close(close_mode::cancel_pending);
    });
    queue_runner runner(out, stage());
    runner.start(scope);
    const auto consumer = spawn(all_of(out));
    run();
    BOOST_TEST(!consumer.result().ends_with("end"));
    const std::string error = error_of(scope);
    BOOST_TEST(error.starts_with("enqueue on queue 'audit'"));
    BOOST_TEST(scope.exceptions().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(
    closed_side_queue_is_a_failure_though_the_own_queue_is_closed,
    side_output
)
{
    feed(10);
    queue_runner runner(out, stage());
    const auto feeding = feeder(out);
    out.close();
    audit.close();
    BOOST_CHECK_THROW(runner.start(scope), system_error);

    queue again(ctx, {.capacity = 4, .name = "again"});
    queue_runner both(again, [&]() -> awaitable<void> {
        (void)co_await in.dequeue();
        again.close();
        co_await audit.enqueue(1);
    });
    both.start(scope);
    run();
    BOOST_TEST(error_of(scope).starts_with("enqueue on queue 'audit'"));
}

BOOST_FIXTURE_TEST_CASE(
    code_without_a_queue_is_quiet_only_if_the_own_queue_is_closed,
    side_output
)
{
    feed(2);
    const auto by_code = [&]() -> awaitable<void> {
        co_await audit.async_enqueue(co_await in.dequeue(), asio::use_awaitable);
    };
    audit.close();
    queue_runner open(out, by_code);
    open.start(ctx);
    run();
    BOOST_TEST(open.exceptions_raised().size() == 1U);

    queue own(ctx, {.capacity = 1, .name = "own"});
    queue_runner closed(own, [&]() -> awaitable<void> {
        own.close();
        co_await own.async_enqueue(1, asio::use_awaitable);
    });
    closed.start(ctx);
    run();
    BOOST_TEST(closed.exceptions_raised().empty());
}

BOOST_FIXTURE_TEST_CASE(side_queue_that_the_stop_closes_is_no_failure, side_output)
{
    feed(10);
    scope.close_on_stop(audit);
    queue_runner runner(out, stage());
    runner.start(scope);
    run();
    scope.request_stop();
    run();
    BOOST_TEST(error_of(scope) == "none");
    BOOST_TEST(scope.exceptions().empty());
}

// Who closed it -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(stats_say_who_closed_the_queue)
{
    BOOST_TEST((rows.stats().end.by == closer::none));
    rows.close();
    BOOST_TEST((rows.stats().end.by == closer::caller));
    {
        const feeder last(out);
    }
    BOOST_TEST((out.stats().end.by == closer::producers));

    queue failed(ctx, {.capacity = 1, .name = "failed"});
    feeder(failed).fail(std::make_exception_ptr(std::runtime_error("disk error")));
    BOOST_TEST(
        to_string(failed.stats().end) == "closed by close() after the error 'disk error'"
    );

    queue gone(ctx, {.capacity = 1, .name = "gone"});
    {
        coordinator early(ctx);
        early.close_on_stop(gone);
    }
    BOOST_TEST((gone.stats().end.by == closer::coordinator));
}

BOOST_AUTO_TEST_CASE(coordinator_lists_the_queues_that_its_stop_closed)
{
    coordinator child(scope);
    queue_runner runner(rows, reader(rows));
    runner.start(scope);
    child.close_on_stop(out);
    BOOST_TEST(out.try_enqueue(1));
    const auto consumer = spawn([&]() -> awaitable<void> {
        (void)co_await rows.next();
        (void)co_await rows.next();
        (void)co_await rows.next();
    });
    run();
    std::vector<std::string> texts;
    for (const closed_queue& each : scope.closed_queues())
        texts.push_back(to_string(each));
    BOOST_TEST(
        texts == (std::vector<std::string>{
                     "queue 'rows' closed by a stop after the error 'disk error', with 1 "
                     "element "
                     "left",
                     "queue 'out' closed by the stop of a parent after the error 'disk "
                     "error', "
                     "with 1 element left"
                 }),
        boost::test_tools::per_element()
    );
    BOOST_TEST(error_of(scope) == "disk error");
    scope.clear_stop();
    BOOST_TEST(child.closed_queues().size() == 1U);
}

BOOST_AUTO_TEST_CASE(join_that_names_tasks_names_the_queues_of_the_stop)
{
    coordinator impatient(ctx, {.stop_grace_period = std::chrono::milliseconds(0)});
    impatient.close_on_stop(rows);
    BOOST_TEST(rows.try_enqueue(1));
    impatient.spawn("stubborn", [&]() -> awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await out.dequeue();
    });
    run();
    impatient.request_stop();
    BOOST_TEST(
        error_of(impatient).find("; queue 'rows' closed by a stop, with 1 element left"
        ) != std::string::npos
    );
    BOOST_TEST(out.try_enqueue(1));
    run();
}

BOOST_AUTO_TEST_SUITE_END()
