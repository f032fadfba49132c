// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

// What is left behind by an operation that is given up: by a signal, by its deadline, by the
// other side of `||`. The matrix of operations and types is in operations.cpp.

namespace cancellation {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;
using asio::use_awaitable;

using queue = fifo_queue<counted>;

struct fixture : counted_fixture, io_fixture
{
    template <class Queue>
    static void put(Queue& q, int value)
    {
        BOOST_TEST(q.try_enqueue(counted(value)));
    }

    template <class Queue>
    static std::vector<int> drain(Queue& q)
    {
        std::vector<int> values;
        while (const auto item = q.try_dequeue())
            values.push_back(item->value());
        return values;
    }
};

}  // namespace cancellation

BOOST_FIXTURE_TEST_SUITE(cancellation, fixture)

// Batches -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(batch_that_holds_elements_puts_them_back_in_order)
{
    queue q(ctx, {.capacity = 2});
    const auto batch = q.async_dequeue_many(4, record.cancellable());
    put(q, 1);
    put(q, 2);
    put(q, 3);
    run();
    batch.check_pending();
    BOOST_TEST(q.stats().held == 3U);
    batch.cancel();
    run();
    batch.check_error(asio::error::operation_aborted);
    BOOST_TEST(batch.value().empty());
    BOOST_TEST(q.size() == 3U);  // more than the capacity, rather than losing one
    BOOST_TEST(drain(q) == (std::vector{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(batch_that_goes_lets_the_next_consumer_proceed)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto batch = q.async_dequeue_many(3, record.cancellable());
    const auto behind = q.async_dequeue(record);
    put(q, 1);
    put(q, 2);
    run();
    behind.check_pending();
    batch.cancel();
    run();
    behind.check_success();
    BOOST_TEST(behind.value()->value() == 1);
    BOOST_TEST(drain(q) == std::vector{2});
}

BOOST_AUTO_TEST_CASE(cancelled_up_to_leaves_everything)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    put(q, 1);
    const auto batch = q.async_dequeue_up_to(2, record.cancellable());
    run();
    BOOST_TEST(q.size() == 0U);
    batch.cancel(asio::cancellation_type::partial);
    run();
    batch.check_error(asio::error::operation_aborted);
    BOOST_TEST(drain(q) == std::vector{1});
}

BOOST_AUTO_TEST_CASE(returned_elements_keep_a_producer_waiting)
{
    queue q(ctx, {.capacity = 1});
    const auto batch = q.async_dequeue_many(3, record.cancellable());
    put(q, 1);
    put(q, 2);
    batch.cancel();
    const auto producer = q.async_enqueue(counted(3), record);
    run();
    producer.check_pending();
    BOOST_TEST(q.try_dequeue()->value() == 1);
    run();
    producer.check_pending();
    BOOST_TEST(q.try_dequeue()->value() == 2);
    run();
    producer.check_success();
    BOOST_TEST(drain(q) == std::vector{3});
}

// Handed over ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(assigned_element_returns_to_the_front)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto first = q.async_dequeue(record.cancellable());
    put(q, 1);
    put(q, 2);
    first.cancel();
    run();
    first.check_error(asio::error::operation_aborted);
    BOOST_TEST(!first.value().has_value());
    BOOST_TEST(q.stats().returned == 1U);
    BOOST_TEST(drain(q) == (std::vector{1, 2}));
}

BOOST_AUTO_TEST_CASE(of_several_each_goes_to_the_front_when_it_is_cancelled)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto first = q.async_dequeue(record.cancellable());
    const auto second = q.async_dequeue(record.cancellable());
    put(q, 1);
    put(q, 2);
    put(q, 3);
    first.cancel();
    second.cancel();
    run();
    BOOST_TEST(drain(q) == (std::vector{2, 1, 3}));
}

BOOST_AUTO_TEST_CASE(assigned_element_goes_to_the_next_waiter)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto first = q.async_dequeue(record.cancellable());
    const auto second = q.async_dequeue(record);
    put(q, 1);
    first.cancel();
    run();
    first.check_error(asio::error::operation_aborted);
    second.check_success();
    BOOST_TEST(second.value()->value() == 1);
}

BOOST_AUTO_TEST_CASE(ready_operation_can_be_cancelled_until_its_handler_runs)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    put(q, 1);
    const auto op = q.async_dequeue(record.cancellable());
    BOOST_TEST(q.size() == 0U);
    op.cancel(asio::cancellation_type::total);
    run();
    op.check_error(asio::error::operation_aborted);
    BOOST_TEST(drain(q) == std::vector{1});
}

BOOST_AUTO_TEST_CASE(element_that_is_in_stays_in)
{
    queue q(ctx, {.capacity = 1});
    put(q, 1);
    const auto op = q.async_enqueue(counted(2), record.cancellable());
    BOOST_TEST(q.try_dequeue()->value() == 1);
    op.cancel();
    run();
    op.check_success();
    BOOST_TEST(drain(q) == std::vector{2});
}

BOOST_AUTO_TEST_CASE(cancelled_enqueue_many_says_how_many_went_in)
{
    queue q(ctx, {.capacity = 2});
    std::vector<counted> rows;
    for (int i = 1; i <= 3; ++i)
        rows.emplace_back(i);
    const auto op = q.async_enqueue_many(rows, record.cancellable());
    run();
    op.cancel();
    run();
    op.check_error(asio::error::operation_aborted).check_value(2U);
    BOOST_TEST(rows[2].value() == 3);
    BOOST_TEST(drain(q) == (std::vector{1, 2}));
}

BOOST_AUTO_TEST_CASE(rendezvous_dequeue_cancelled_after_the_meeting_keeps_the_element)
{
    queue q(ctx, {.capacity = 0});
    const auto consumer = q.async_dequeue(record.cancellable());
    const auto producer = q.async_enqueue(counted(1), record);
    consumer.cancel();
    run();
    producer.check_success();
    consumer.check_error(asio::error::operation_aborted);
    BOOST_TEST(drain(q) == std::vector{1});
}

BOOST_AUTO_TEST_CASE(cancellation_that_comes_too_late_changes_nothing)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    put(q, 1);
    const auto op = q.async_dequeue(record.cancellable());
    run();
    op.cancel();
    run();
    op.check_success();
    BOOST_TEST(op.value()->value() == 1);
}

BOOST_AUTO_TEST_CASE(other_orders_get_their_element_back)
{
    priority_queue<counted> smallest(ctx, {.capacity = sluice::unbounded});
    put(smallest, 2);
    const auto op = smallest.async_dequeue(record.cancellable());
    put(smallest, 1);
    op.cancel();
    run();
    BOOST_TEST(drain(smallest) == (std::vector{1, 2}));

    shuffle_queue<counted> shuffled(
        ctx,
        {.capacity = 4, .min_after_dequeue = 0, .seed = 1}
    );
    put(shuffled, 1);
    const auto other = shuffled.async_dequeue(record.cancellable());
    other.cancel();
    run();
    BOOST_TEST(drain(shuffled) == std::vector{1});
}

// Coroutines ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(cancelled_coroutine_leaves_the_element)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto task = spawn([&]() -> awaitable<void> { (void)co_await q.dequeue(); });
    run();
    // From inside the context, because co_spawn dispatches the cancellation to its executor.
    asio::post(ctx, [&] {
        put(q, 1);  // the resumption is on its way
        task.cancel();
    });
    run();
    task.check_error(asio::error::operation_aborted);
    BOOST_TEST(drain(q) == std::vector{1});
}

BOOST_AUTO_TEST_CASE(coroutine_that_allows_it_is_cancelled_by_each_type)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    for (const auto type :
         {asio::cancellation_type::terminal,
          asio::cancellation_type::partial,
          asio::cancellation_type::total}) {
        const auto task = spawn([&]() -> awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            (void)co_await q.dequeue();
        });
        run();
        task.cancel(type);
        run();
        task.check_error(asio::error::operation_aborted);
    }
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(coroutine_that_disables_it_is_not_cancelled)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto task = spawn([&]() -> awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_return (co_await q.dequeue()).value();
    });
    run();
    task.cancel();
    run();
    task.check_pending();
    put(q, 1);
    run();
    BOOST_TEST(task.result() == 1);
}

BOOST_AUTO_TEST_CASE(as_tuple_gives_the_code_and_the_coroutine_goes_on)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto task = spawn([&]() -> awaitable<error_code> {
        co_await asio::this_coro::throw_if_cancelled(false);
        const auto [error, item] = co_await q.dequeue().as_tuple();
        BOOST_TEST(!item.has_value());
        co_return error;
    });
    run();
    task.cancel();
    run();
    BOOST_TEST((task.result() == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(s1_or_of_two_operations_loses_nothing)
{
    using namespace asio::experimental::awaitable_operators;
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    put(a, 1);
    put(b, 2);
    run_until_done([&]() -> awaitable<void> {
        const auto first = co_await (
            a.async_dequeue(use_awaitable) || b.async_dequeue(use_awaitable)
        );
        BOOST_TEST(first.index() == 0U);
    });
    BOOST_TEST(drain(a).empty());
    BOOST_TEST(drain(b) == std::vector{2});
}

// Each coroutine has its element before Asio cancels the other, and Asio drops its result.
BOOST_AUTO_TEST_CASE(s1_or_of_two_coroutines_drops_what_one_of_them_has_taken)
{
    using namespace asio::experimental::awaitable_operators;
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    put(a, 1);
    put(b, 2);
    const auto take = [](queue& from) -> awaitable<int> {
        co_return (co_await from.dequeue()).value();
    };
    run_until_done([&]() -> awaitable<void> {
        const auto first = co_await (take(a) || take(b));
        BOOST_TEST(first.index() == 0U);
    });
    BOOST_TEST(a.size() + b.size() == 0U);

    put(a, 1);
    put(b, 2);
    run_until_done([&]() -> awaitable<void> {
        (void)co_await select(a.dequeue(), b.dequeue());
    });
    BOOST_TEST(a.size() + b.size() == 1U);
}

BOOST_AUTO_TEST_CASE(or_of_two_ready_selects_loses_nothing)
{
    using namespace asio::experimental::awaitable_operators;
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    put(a, 1);
    put(b, 2);
    run_until_done([&]() -> awaitable<void> {
        (void)co_await (
            select(a.dequeue(), b.dequeue())(use_awaitable) ||
            select(b.dequeue(), a.dequeue())(use_awaitable)
        );
    });
    BOOST_TEST(a.size() + b.size() == 1U);
}

// Deadlines -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(deadline_ends_the_wait)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    run_until_done([&]() -> awaitable<void> {
        const auto [error, item] = co_await q.dequeue().within(1ms).as_tuple();
        BOOST_TEST((error == errc::timed_out));
        BOOST_TEST(!item.has_value());
    });
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(ready_operation_succeeds_whatever_its_deadline)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    put(q, 1);
    put(q, 2);
    put(q, 3);
    run_until_done([&]() -> awaitable<void> {
        BOOST_TEST((co_await q.dequeue().within(0ns)).value() == 1);
        BOOST_TEST((co_await q.dequeue().within(-1h)).value() == 2);
        const auto past = std::chrono::steady_clock::now() - 1h;
        BOOST_TEST((co_await q.dequeue().until(past)).value() == 3);
    });
}

BOOST_AUTO_TEST_CASE(operation_without_time_gives_up_at_once)
{
    queue q(ctx, {.capacity = 1});
    put(q, 1);
    const auto task = spawn([&]() -> awaitable<void> {
        counted second(2);
        const auto [error] = co_await q.enqueue(std::move(second)).within(0ns).as_tuple();
        BOOST_TEST((error == errc::timed_out));
        BOOST_TEST(second.value() == 2);  // still with its owner
        std::array rows{counted(3), counted(4)};
        (void)q.try_dequeue();
        const auto [late, count] = co_await q.enqueue_many(rows).within(0ns).as_tuple();
        BOOST_TEST((late == errc::timed_out));
        BOOST_TEST(count == 1U);
        BOOST_TEST(rows[1].value() == 4);
    });
    run();
    task.check_done();
    BOOST_TEST(drain(q) == std::vector{3});
}

BOOST_AUTO_TEST_CASE(batch_that_times_out_returns_what_it_held)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    put(q, 1);
    put(q, 2);
    run_until_done([&]() -> awaitable<void> {
        const auto [error, batch] = co_await q.dequeue_many(3).within(1ms).as_tuple();
        BOOST_TEST((error == errc::timed_out));
        BOOST_TEST(batch.empty());
    });
    BOOST_TEST(drain(q) == (std::vector{1, 2}));
}

BOOST_AUTO_TEST_CASE(deadline_of_a_select_is_one_for_all_branches)
{
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    run_until_done([&]() -> awaitable<void> {
        const auto [error, branch, taken] =
            co_await select(a.dequeue(), b.dequeue()).within(1ms).as_tuple();
        BOOST_TEST((error == errc::timed_out));
        BOOST_TEST(branch == no_branch);
        BOOST_TEST(!taken.has_value());
    });
    BOOST_TEST(a.stats().waiting_consumers + b.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(later_deadline_does_not_hold_up_an_earlier_one)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto wait = [&](std::chrono::milliseconds limit) -> awaitable<error_code> {
        co_return std::get<0>(co_await q.dequeue().within(limit).as_tuple());
    };
    auto late = spawn(wait(1h));
    auto early = spawn(wait(1ms));
    run_until_done(early);
    BOOST_TEST(early.result() == errc::timed_out);
    late.check_pending();
    q.close();
    run();
    BOOST_TEST(late.result() == errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(operation_that_completes_in_time_leaves_no_timer)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto task = spawn([&]() -> awaitable<void> {
        (void)co_await q.dequeue().within(1h);
    });
    run();
    put(q, 1);
    run();
    task.check_done();
    BOOST_TEST(ctx.stopped());  // nothing keeps the context busy for an hour
}

BOOST_AUTO_TEST_SUITE_END()
