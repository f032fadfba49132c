// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D1 D2 D3 D4 D5 D9 D15 P1 P2 S1 S2 S3 S4 S5 S6 S7 S10 S11 S12

// What is settled about the operations of every queue, on a FIFO queue, and the order of that.
// What all kinds share is in queue_kinds.cpp. S8 is in priority_cases.cpp, S9 in
// element_failures.cpp, S13 in padding_cases.cpp; the later ones concern select, coordinators and
// runners.

#include "behaviour/queue_cases.hpp"
#include "support/counted.hpp"
#include "support/foreign_task.hpp"
#include "support/native_await.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::close_mode;
using sluice::errc;
using test::counted;
using test::range;
using test::record;
using batch = std::vector<int>;

namespace fifo_cases {

using fifo = sluice::fifo_queue<int>;

constexpr auto aborted = asio::error::operation_aborted;

struct fifo_fixture : test::counted_fixture, test::queue_fixture
{
    fifo queue{ctx, {.capacity = 10, .name = "lines"}};
    fifo single{ctx, {.capacity = 1}};
    fifo rendezvous{ctx, {.capacity = 0}};
};

// An element of which copies are counted.
struct copied
{
    explicit copied(int& count) : copies{&count} {}
    copied(const copied& other) : copies{other.copies} { ++*copies; }
    copied(copied&&) = default;
    copied& operator=(const copied&) = delete;
    copied& operator=(copied&&) = default;

    int* copies;
};

std::vector<counted> counted_rows(int first, int last)
{
    std::vector<counted> rows;
    for (const int value : range(first, last))
        rows.emplace_back(value);
    return rows;
}

test::foreign_task<int> take(fifo& queue)
{
    co_return co_await queue.dequeue();
}

}  // namespace fifo_cases

BOOST_FIXTURE_TEST_SUITE(fifo_cases, fifo_fixture)

// The order.

BOOST_AUTO_TEST_CASE(elements_leave_in_the_order_in_which_they_came)
{
    for (const std::size_t capacity : {0U, 1U, 3U, 20U}) {
        fifo sized{ctx, {.capacity = capacity}};
        const auto one = start_enqueue(sized, 1);
        const auto rows = start_enqueue_many(sized, range(2, 10));  // T2: contiguous
        const auto behind = start_enqueue(sized, 11);

        BOOST_TEST(get(sized.dequeue()) == 1);
        BOOST_TEST(get(sized.next()) == std::optional(2));
        BOOST_TEST(sized.try_dequeue() == std::optional(3));
        BOOST_TEST(get(sized.dequeue_many(2)) == range(4, 5));
        BOOST_TEST(get(sized.dequeue_up_to(2)) == range(6, 7));
        const auto some = get(sized.dequeue_some(2));  // fewer, if fewer are stored
        // takes what is stored, then what that lets in
        BOOST_TEST(test::joined(some, sized.try_dequeue_many(9)) == range(8, 11));
        run();
        one.result();
        BOOST_TEST(rows.result() == 9U);
        behind.result();
    }
}

BOOST_AUTO_TEST_CASE(consumers_that_wait_get_elements_in_the_order_in_which_they_came)
{
    for (const std::size_t capacity : {0U, 1U, 20U}) {
        fifo sized{ctx, {.capacity = capacity}};
        const auto many = start(sized.dequeue_many(3));
        const auto one = start(sized.dequeue());
        const auto up_to = start(sized.dequeue_up_to(2));

        fill(sized, range(1, 6));

        BOOST_TEST(many.result() == range(1, 3));
        BOOST_TEST(one.result() == 4);
        BOOST_TEST(up_to.result() == range(5, 6));
    }
}

// D1, D2: what a cancellation returns.

BOOST_AUTO_TEST_CASE(d1_returned_elements_ignore_the_capacity)
{
    fifo small{ctx, {.capacity = 2}};
    const auto waiting = start(small.dequeue_many(10));
    for (const int value : range(0, 6))
        put(small, value);

    waiting.cancel();
    run();

    waiting.check_error(aborted);
    BOOST_TEST(small.size() == 7U);
    const auto producer = start_enqueue(small, 7);
    BOOST_TEST(get(small.dequeue_many(5)) == range(0, 4));
    producer.check_pending();  // two are left, and two is full
    BOOST_TEST(get_each(small, 3) == range(5, 7));
    producer.result();
}

BOOST_AUTO_TEST_CASE(p1_d2_assigned_and_cancelled_returns_to_the_front)
{
    const auto waiting = start(queue.dequeue());

    inside([&] {
        batch rows = {1, 2};
        BOOST_TEST(queue.try_enqueue_many(rows) == 2U);
        BOOST_TEST(queue.size() == 1U);
        waiting.cancel();  // the coroutine has not run since
        BOOST_TEST(queue.size() == 2U);
    });

    waiting.check_error(aborted);
    BOOST_TEST(queue.stats().returned == 1U);
    BOOST_TEST(get_each(queue, 2) == range(1, 2));
}

BOOST_AUTO_TEST_CASE(d2_a_cancellation_after_the_delivery_changes_nothing)
{
    const auto waiting = start(queue.dequeue());
    put(queue, 1);

    waiting.cancel();
    run();

    BOOST_TEST(waiting.result() == 1);
    BOOST_TEST(queue.size() == 0U);
    BOOST_TEST(queue.stats().returned == 0U);
}

// D3: a failed enqueue leaves the element with its caller.

BOOST_AUTO_TEST_CASE(d3_cancelled_enqueue_leaves_the_element)
{
    sluice::fifo_queue<counted> elements{ctx, {.capacity = 1}};
    put(elements, counted{1});
    counted first{7};
    counted second{8};
    counted third{9};
    const auto cancelled = start(elements.enqueue(std::move(first)));
    const auto late = start(elements.enqueue(std::move(second)).within(1ms));
    const auto closed = start(elements.enqueue(std::move(third)));

    cancelled.cancel();
    run_until([&] { return cancelled.done() && late.done(); });
    elements.close(close_mode::cancel_pending);
    run();

    cancelled.check_error(aborted);
    BOOST_TEST(first == 7);
    late.check_error(errc::timed_out);
    BOOST_TEST(second == 8);
    closed.check_error(errc::queue_closed);
    BOOST_TEST(third == 9);
}

BOOST_AUTO_TEST_CASE(d3_cut_enqueue_many_says_how_many_went_in)
{
    sluice::fifo_queue<counted> elements{ctx, {.capacity = 2}};
    auto rows = counted_rows(1, 5);
    const auto producer = start(elements.enqueue_many(rows).as_tuple());
    BOOST_TEST(get(elements.dequeue()) == 1);

    producer.cancel();
    run();

    const auto [code, count] = producer.result();
    BOOST_TEST(code == aborted);
    BOOST_TEST(count == 3U);
    BOOST_TEST(rows[2] == counted::gone);
    BOOST_TEST(rows[3] == 4);
    BOOST_TEST(rows[4] == 5);
    BOOST_TEST(get(elements.dequeue()) == 2);
    BOOST_TEST(get(elements.dequeue()) == 3);
}

// D9: the message of end_of_queue has the number asked for and the number left.

BOOST_AUTO_TEST_CASE(d9_message_has_the_true_numbers)
{
    const auto waiting = start(queue.dequeue_many(4));
    fill(queue, {1, 2, 3});

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
    const auto text = test::what(waiting.error());
    BOOST_TEST(test::contains(text, "dequeue_many(4) on queue 'lines'"));
    BOOST_TEST(test::contains(text, "3 left"));
}

// S1: an operation can be cancelled until its handler is entered.

BOOST_AUTO_TEST_CASE(s1_ready_dequeue_cancelled_before_its_handler_returns_it)
{
    fill(queue, range(1, 4));
    const auto one = queue.async_dequeue(record.cancellable());
    const auto many = queue.async_dequeue_many(2, record.cancellable());
    BOOST_TEST(queue.size() == 1U);

    many.cancel();
    one.cancel();
    run();

    one.check_error(aborted).check_value(std::optional<int>());
    many.check_error(aborted).check_value(batch{});
    BOOST_TEST(get_each(queue, 4) == range(1, 4));
}

BOOST_AUTO_TEST_CASE(s1_operator_or_over_two_ready_queues_loses_nothing)
{
    using namespace asio::experimental::awaitable_operators;
    fifo other{ctx, {.capacity = 10}};
    put(queue, 1);
    put(other, 2);

    const auto either = spawn([&]() -> asio::awaitable<std::size_t> {
        const auto taken = co_await (
            queue.async_dequeue(asio::use_awaitable) ||
            other.async_dequeue(asio::use_awaitable)
        );
        co_return taken.index();
    });
    run();

    const std::size_t winner = either.result();
    BOOST_TEST(queue.size() == (winner == 0 ? 0U : 1U));
    BOOST_TEST(other.size() == (winner == 1 ? 0U : 1U));
}

// Each coroutine has its element before Asio cancels the other, and Asio drops its result.
BOOST_TEST_DECORATOR(*test::native_await_only("what is ready is posted (P7)"))
BOOST_AUTO_TEST_CASE(s1_or_of_two_coroutines_drops_what_one_of_them_has_taken)
{
    using namespace asio::experimental::awaitable_operators;
    fifo other{ctx, {.capacity = 10}};
    put(queue, 1);
    put(other, 2);
    run_until_done([&]() -> asio::awaitable<void> {
        (void)co_await (test::perform(queue.dequeue()) || test::perform(other.dequeue()));
    });
    BOOST_TEST(queue.size() + other.size() == 0U);

    put(queue, 1);
    put(other, 2);
    run_until_done([&]() -> asio::awaitable<void> {
        (void)co_await (
            sluice::select(queue.dequeue(), other.dequeue())(asio::use_awaitable) ||
            sluice::select(other.dequeue(), queue.dequeue())(asio::use_awaitable)
        );
    });
    BOOST_TEST(queue.size() + other.size() == 1U);
}

BOOST_AUTO_TEST_CASE(p2_s1_cancelled_enqueue_whose_element_is_in_reports_success)
{
    const auto one = queue.async_enqueue(1, record.cancellable());
    batch rows = {2, 3};
    const auto many = queue.async_enqueue_many(rows, record.cancellable());

    one.cancel();
    many.cancel();
    run();

    one.check_success();
    many.check_success().check_value(2U);
    BOOST_TEST(get_each(queue, 3) == range(1, 3));
}

// S2: who owns the element.

BOOST_AUTO_TEST_CASE(s2_enqueue_copies_a_constant_on_success_only)
{
    sluice::fifo_queue<copied> elements{ctx, {.capacity = 1}};
    int copies = 0;
    const copied element{copies};

    start(elements.enqueue(element)).result();
    BOOST_TEST(copies == 1);
    const auto waiting = start(elements.enqueue(element));
    BOOST_TEST(copies == 1);
    waiting.cancel();
    run();
    waiting.check_error(aborted);
    BOOST_TEST(copies == 1);
}

BOOST_AUTO_TEST_CASE(s2_async_enqueue_owns_its_element)
{
    sluice::fifo_queue<counted> elements{ctx, {.capacity = 1}};
    elements.async_enqueue(counted{1}, record).check_pending();
    const auto waiting = elements.async_enqueue(counted{2}, record);
    run();
    BOOST_TEST(holding() == 2);

    elements.close(close_mode::cancel_pending);
    run();

    waiting.check_error(errc::queue_closed);
    BOOST_TEST(holding() == 1);
}

// S3, D15: a deadline is looked at only before waiting.

BOOST_AUTO_TEST_CASE(s3_a_ready_operation_succeeds_whatever_its_deadline)
{
    const auto past = std::chrono::steady_clock::now() - 1h;
    int element = 1;
    start(queue.enqueue(std::move(element)).until(past)).result();
    batch rows = range(2, 8);
    BOOST_TEST(get(queue.enqueue_many(rows).within(0s)) == 7U);

    BOOST_TEST(get(queue.dequeue().until(past)) == 1);
    BOOST_TEST(get(queue.next().within(-1s)) == std::optional(2));
    BOOST_TEST(get(queue.dequeue_many(2).within(0s)) == range(3, 4));
    BOOST_TEST(get(queue.dequeue_up_to(2).until(past)) == range(5, 6));
    BOOST_TEST(get(queue.dequeue_some(9).within(0s)) == range(7, 8));
}

BOOST_AUTO_TEST_CASE(d15_s3_an_operation_that_has_to_wait_times_out_and_changes_nothing)
{
    put(single, 1);
    for (const auto limit : {0ms, 1ms}) {
        const auto then = std::chrono::steady_clock::now() + limit;
        int element = 2;
        batch rows = {3, 4};
        const auto enqueue = start(single.enqueue(std::move(element)).until(then));
        const auto enqueue_many = start(single.enqueue_many(rows).within(limit));
        const auto one = start(queue.dequeue().until(then));
        const auto next = start(queue.next().within(limit));
        const auto many = start(queue.dequeue_many(2).until(then));
        const auto up_to = start(queue.dequeue_up_to(2).within(limit));
        const auto some = start(queue.dequeue_some(2).within(limit));
        run_until([&] {
            return enqueue.done() && enqueue_many.done() && one.done() && next.done() &&
                   many.done() && up_to.done() && some.done();
        });

        enqueue.check_error(errc::timed_out);
        enqueue_many.check_error(errc::timed_out);
        one.check_error(errc::timed_out);
        next.check_error(errc::timed_out);
        many.check_error(errc::timed_out);
        up_to.check_error(errc::timed_out);
        some.check_error(errc::timed_out);
        BOOST_TEST(element == 2);
        BOOST_TEST(rows == (batch{3, 4}));
    }
    BOOST_TEST(get(single.dequeue()) == 1);
    put(queue, 5);
    BOOST_TEST(get(queue.dequeue()) == 5);
}

// S4, D4, D5: after a plain close waiting producers are resolved as consumers drain.

BOOST_AUTO_TEST_CASE(d4_s4_plain_close_keeps_waiting_producers_until_the_drain)
{
    for (fifo* closed : {&single, &rendezvous}) {
        BOOST_TEST_CONTEXT("capacity " << closed->capacity())
        {
            const auto producer = start_enqueue_many(*closed, range(1, 4));
            closed->close();
            BOOST_TEST(closed->is_closed());
            start_enqueue(*closed, 5).check_error(errc::queue_closed);
            producer.check_pending();

            BOOST_TEST(get(closed->dequeue_many(3)) == range(1, 3));
            const auto short_batch = start(closed->dequeue_many(2));

            BOOST_TEST(producer.result() == 4U);
            short_batch.check_error(errc::end_of_queue);
            BOOST_TEST(get(closed->dequeue_up_to(2)) == batch{4});
            start(closed->dequeue()).check_error(errc::end_of_queue);
        }
    }
}

BOOST_AUTO_TEST_CASE(d5_s4_cancel_pending_after_a_plain_close_ends_the_producers_at_once)
{
    for (fifo* closed : {&single, &rendezvous}) {
        BOOST_TEST_CONTEXT("capacity " << closed->capacity())
        {
            const auto producer = start_enqueue_many(*closed, range(1, 4));
            closed->close();
            closed->close(close_mode::cancel_pending);
            closed->close(close_mode::cancel_pending);
            closed->close();
            run();

            producer.check_error(errc::queue_closed);
            BOOST_TEST(closed->size() == closed->capacity());
        }
    }
}

// S5: at capacity 0.

BOOST_AUTO_TEST_CASE(s5_dequeue_some_takes_from_all_waiting_producers)
{
    const auto first = start_enqueue(rendezvous, 1);
    const auto second = start_enqueue_many(rendezvous, {2, 3});
    const auto third = start_enqueue_many(rendezvous, {4, 5});

    BOOST_TEST(get(rendezvous.dequeue_some(4)) == range(1, 4));

    first.result();
    BOOST_TEST(second.result() == 2U);
    third.check_pending();
    BOOST_TEST(get(rendezvous.dequeue_some(4)) == batch{5});
    BOOST_TEST(third.result() == 2U);
}

BOOST_AUTO_TEST_CASE(s5_try_enqueue_many_gives_to_all_waiting_consumers)
{
    const auto first = start(rendezvous.dequeue());
    const auto second = start(rendezvous.dequeue_many(2));
    const auto third = start(rendezvous.dequeue_many(2));
    batch rows = range(1, 4);

    BOOST_TEST(rendezvous.try_enqueue_many(rows) == 4U);
    run();

    BOOST_TEST(first.result() == 1);
    BOOST_TEST(second.result() == range(2, 3));
    third.check_pending();
    put(rendezvous, 5);
    BOOST_TEST(third.result() == range(4, 5));
}

// S6: where an element is returned to.

BOOST_AUTO_TEST_CASE(s6_of_several_each_goes_to_the_front_when_it_is_cancelled)
{
    const auto first = start(queue.dequeue());
    const auto second = start(queue.dequeue());

    inside([&] {
        batch rows = range(1, 3);
        BOOST_TEST(queue.try_enqueue_many(rows) == 3U);
        first.cancel();
        second.cancel();
    });

    first.check_error(aborted);
    second.check_error(aborted);
    BOOST_TEST(get_each(queue, 3) == (batch{2, 1, 3}));
}

BOOST_AUTO_TEST_CASE(s6_not_in_front_of_what_another_waiter_holds)
{
    const auto first = start(queue.dequeue());
    const auto holder = start(queue.dequeue_many(3));

    inside([&] {
        batch rows = range(1, 2);
        BOOST_TEST(queue.try_enqueue_many(rows) == 2U);  // 2 is held
        first.cancel();
    });
    first.check_error(aborted);
    put(queue, 3);

    BOOST_TEST(holder.result() == (batch{2, 1, 3}));
}

// S7: completions come in the order decided.

BOOST_AUTO_TEST_CASE(s7_the_enqueue_completes_before_the_dequeue_it_serves)
{
    std::string order;
    const auto dequeue = queue.async_dequeue(record.then([&] { order += 'd'; }));
    const auto enqueue = queue.async_enqueue(1, record.then([&] { order += 'e'; }));

    run();

    enqueue.check_success();
    dequeue.check_success();
    BOOST_TEST(order == "ed");
}

BOOST_AUTO_TEST_CASE(s7_a_close_resolves_waiters_in_order)
{
    std::string order;
    put(single, 0);
    const auto p1 = single.async_enqueue(1, record.then([&] { order += '1'; }));
    const auto p2 = single.async_enqueue(2, record.then([&] { order += '2'; }));
    const auto c1 = queue.async_dequeue_many(4, record.then([&] { order += 'a'; }));
    const auto c2 = queue.async_dequeue_many(2, record.then([&] { order += 'b'; }));
    fill(queue, range(1, 3));

    single.close(close_mode::cancel_pending);
    queue.close();
    run();

    p1.check_error(errc::queue_closed);
    p2.check_error(errc::queue_closed);
    c1.check_error(errc::end_of_queue);
    c2.check_success().check_value(range(1, 2));
    BOOST_TEST(order == "12ab");
    BOOST_TEST(queue.size() == 1U);
}

// S10: fairness and the budget.

BOOST_TEST_DECORATOR(
    *test::native_await_only("all go through the scheduler, not one in 128")
)
BOOST_AUTO_TEST_CASE(s10_ready_operations_let_others_run)
{
    constexpr int count = 1000;
    int done = 0;
    int done_when_other_ran = -1;
    const auto busy = spawn([&]() -> asio::awaitable<void> {
        asio::post(ctx, [&] { done_when_other_ran = done; });
        for (; done < count; ++done) {
            co_await queue.enqueue(done);
            co_await queue.dequeue();
        }
    });
    const std::size_t handlers = run();

    busy.result();
    BOOST_TEST(done_when_other_ran >= 0);
    BOOST_TEST(done_when_other_ran <= 128 / 2);
    // at most one in 128 is posted, besides the start and the post
    BOOST_TEST(handlers <= 2U * count / 128 + 4);
}

// S11: a close with a cause.

BOOST_AUTO_TEST_CASE(s11_consumers_get_the_cause_after_the_drain)
{
    put(queue, 1);
    queue.close(std::make_exception_ptr(std::runtime_error("disk on fire")));
    BOOST_TEST(get(queue.dequeue()) == 1);

    const auto one = start(queue.dequeue());
    const auto next = start(queue.next());
    const auto many = start(queue.dequeue_many(2));

    BOOST_TEST(test::what(one.error()) == "disk on fire");
    BOOST_TEST(test::what(next.error()) == "disk on fire");
    BOOST_TEST(test::what(many.error()) == "disk on fire");
    start_enqueue(queue, 2).check_error(errc::queue_closed);
}

BOOST_AUTO_TEST_CASE(s11_token_forms_give_the_code_of_the_cause)
{
    const auto reset = make_error_code(boost::system::errc::connection_reset);
    queue.close(std::make_exception_ptr(sluice::system_error(reset)));
    const auto one = queue.async_dequeue(record);
    const auto next = queue.async_next(record);
    const auto some = queue.async_dequeue_some(2, record);
    run();

    one.check_error(reset);
    next.check_error(reset);
    some.check_error(reset);
    BOOST_TEST(std::get<0>(get(queue.dequeue().as_tuple())) == reset);
}

BOOST_AUTO_TEST_CASE(s11_token_forms_give_input_failed_for_another_cause)
{
    const auto waiting = queue.async_dequeue(record);
    queue.close(std::make_exception_ptr(std::runtime_error("disk on fire")));
    queue.close(std::make_exception_ptr(std::logic_error("too late")));
    const auto late = queue.async_dequeue_up_to(2, record);
    run();

    waiting.check_error(errc::input_failed);
    late.check_error(errc::input_failed);
    BOOST_TEST(test::what(start(queue.dequeue()).error()) == "disk on fire");
}

BOOST_AUTO_TEST_CASE(s11_a_cause_cancels_pending_enqueues)
{
    put(single, 1);
    const auto waiting = start_enqueue(single, 2);

    single.close(std::make_exception_ptr(std::runtime_error("disk on fire")));
    run();

    waiting.check_error(errc::queue_closed);
    BOOST_TEST(get(single.dequeue()) == 1);
}

// S12: coroutines of another type.

BOOST_AUTO_TEST_CASE(s12_a_foreign_coroutine_resumes_on_the_executor_of_the_queue)
{
    const test::tracking_executor executor{ctx.get_executor()};
    fifo tracked{executor, {.capacity = 1}};
    int resumed_on = 0;
    auto task = [](fifo& source, int& where) -> test::foreign_task<int> {
        const int value = co_await source.dequeue();
        where = test::current_executor();
        co_return value;
    }(tracked, resumed_on);
    task.start();
    task.check_pending();

    put(tracked, 1);

    BOOST_TEST(task.result() == 1);
    BOOST_TEST(resumed_on == executor.id());
}

BOOST_AUTO_TEST_CASE(s12_what_was_assigned_to_a_destroyed_frame_is_returned)
{
    auto waiting = take(queue);
    waiting.start();
    int value = 1;
    BOOST_TEST(queue.try_enqueue(std::move(value)));
    BOOST_TEST(queue.size() == 0U);

    waiting.destroy();
    run();

    BOOST_TEST(get(queue.dequeue()) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
