// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S48 S49

#include <sluice/coordination/task_options.hpp>

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/task_handle.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::task_state;
using test::record;

namespace task_options {

struct options_fixture : test::io_fixture
{
    ~options_fixture()
    {
        lines.close();
        coord.request_stop();
        run();
    }

    auto read()
    {
        return [this]() -> asio::awaitable<void> { co_await lines.next(); };
    }

    sluice::fifo_queue<int> lines{ctx, {.capacity = sluice::unbounded, .name = "lines"}};
    sluice::coordinator coord{ctx};
};

}  // namespace task_options

BOOST_FIXTURE_TEST_SUITE(task_options, options_fixture)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_a_task_with_a_name_alone)
{
    const sluice::task_options options;

    BOOST_TEST(options.name == "");
    BOOST_TEST(!options.executor);
    BOOST_TEST((options.on_stop == asio::cancellation_type::all));
}

// the executor

BOOST_AUTO_TEST_CASE(s48_task_on_a_strand_runs_on_that_strand)
{
    const auto strand = asio::make_strand(ctx.get_executor());
    const asio::strand<asio::any_io_executor> erased(ctx.get_executor());
    int inside = 0;
    const auto count = [&]() -> asio::awaitable<void> {
        inside += strand.running_in_this_thread() ? 1 : 0;
        inside += erased.running_in_this_thread() ? 10 : 0;
        co_return;
    };

    coord.spawn(strand, "typed", count);
    coord.spawn(erased, "erased", count);
    coord.spawn({.name = "in the options", .executor = strand}, count);
    coord.spawn("on its own", count);
    run();

    BOOST_TEST(inside == 12);
}

BOOST_AUTO_TEST_CASE(s48_task_on_the_executor_of_another_task_shares_its_strand)
{
    int together = 0;
    coord.spawn("first", [&]() -> asio::awaitable<void> {
        const auto executor = co_await asio::this_coro::executor;
        auto second = coord.spawn(executor, "second", [&]() -> asio::awaitable<void> {
            // The two differ in nothing but their logs.
            const auto own = co_await asio::this_coro::executor;
            BOOST_TEST((own != executor));
            asio::dispatch(executor, [&] { ++together; });
            BOOST_TEST(together == 1);  // inside, because this is the same strand
        });
        co_await second.join();
    });
    run();

    BOOST_TEST(together == 1);
}

BOOST_AUTO_TEST_CASE(s48_coroutine_of_a_strand_type_runs_on_the_strand_it_is_given)
{
    using strand_type = asio::strand<asio::io_context::executor_type>;
    const strand_type strand(ctx.get_executor());
    bool is_same = false;

    coord.spawn(strand, "typed", [&]() -> asio::awaitable<void, strand_type> {
        is_same = co_await asio::this_coro::executor == strand;
    });
    run();

    BOOST_TEST(is_same);
}

BOOST_AUTO_TEST_CASE(s48_task_on_another_context_is_stopped_with_the_others)
{
    asio::io_context other;
    const auto task = coord.spawn(other.get_executor(), "elsewhere", read());
    test::run_dry(other);
    BOOST_TEST(coord.tasks().size() == 1u);

    coord.request_stop();
    run();
    BOOST_TEST((task.state() == task_state::running));
    other.restart();
    test::run_dry(other);

    BOOST_TEST((task.state() == task_state::cancelled));
    BOOST_TEST(coord.tasks().empty());
}

// the stop

BOOST_AUTO_TEST_CASE(s49_task_that_no_stop_reaches_ends_by_itself)
{
    coord.close_on_stop(lines, sluice::close_mode::drain);
    int left = 0;
    BOOST_TEST(lines.try_enqueue(1));
    BOOST_TEST(lines.try_enqueue(2));
    const auto drains = coord.spawn(
        {.name = "drains", .on_stop = asio::cancellation_type::none},
        [&]() -> asio::awaitable<void> {
            while (co_await lines.next())
                ++left;
        }
    );

    coord.request_stop();  // before it begins
    const auto join = coord.async_join(record);
    run();

    BOOST_TEST(left == 2);
    BOOST_TEST((drains.state() == task_state::completed));
    join.check_success();
}

BOOST_AUTO_TEST_CASE(s49_task_that_no_stop_reaches_can_be_cancelled_alone)
{
    const auto task =
        coord.spawn({.name = "stays", .on_stop = asio::cancellation_type::none}, read());
    run();
    coord.request_stop();
    run();
    BOOST_TEST((task.state() == task_state::running));

    task.cancel();
    run();

    BOOST_TEST((task.state() == task_state::cancelled));
    BOOST_TEST(coord.exceptions().empty());
}

BOOST_AUTO_TEST_CASE(s49_stop_emits_the_type_that_was_chosen)
{
    using type = asio::cancellation_type;
    type seen = type::none;
    coord.spawn({.name = "task", .on_stop = type::total}, [&]() -> asio::awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(
            asio::enable_total_cancellation()
        );
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await lines.dequeue().as_tuple();
        seen = (co_await asio::this_coro::cancellation_state).cancelled();
    });
    run();

    coord.request_stop();
    run();

    BOOST_TEST((seen == type::total));
}

BOOST_AUTO_TEST_CASE(s49_stop_of_that_type_reaches_a_coroutine_of_another_executor_type)
{
    using executor = asio::io_context::executor_type;
    const auto task = coord.spawn(
        {.name = "typed", .on_stop = asio::cancellation_type::total},
        [&]() -> asio::awaitable<void, executor> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            co_await lines.dequeue();
        }
    );
    run();

    coord.request_stop();
    run();

    BOOST_TEST((task.state() == task_state::cancelled));
}

BOOST_AUTO_TEST_CASE(s49_stop_of_a_type_that_the_coroutine_does_not_heed_changes_nothing)
{
    const auto task =
        coord.spawn({.name = "total", .on_stop = asio::cancellation_type::total}, read());
    run();
    coord.request_stop();  // a coroutine heeds terminal ones unless it says otherwise
    run();
    BOOST_TEST((task.state() == task_state::running));

    task.cancel(asio::cancellation_type::terminal);
    run();

    BOOST_TEST((task.state() == task_state::cancelled));
}

BOOST_AUTO_TEST_SUITE_END()
