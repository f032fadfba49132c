// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D1 D2 D3 D4 D5 D9 D15

// What queues do differently from TensorFlow's, on purpose: D1 to D5, D9 and D15, on a FIFO
// queue. D6 to D8 are in priority_cases.cpp; D10 to D14 concern runners and coordinators.

#include "behaviour/queue_cases.hpp"
#include "support/counted.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::close_mode;
using sluice::errc;
using test::counted;
using test::range;
using batch = std::vector<int>;

namespace difference_cases {

using fifo = sluice::fifo_queue<int>;

constexpr auto aborted = boost::asio::error::operation_aborted;

struct difference_fixture : test::counted_fixture, test::queue_fixture
{
    fifo queue{ctx, {.capacity = 10, .name = "lines"}};
};

std::vector<counted> counted_rows(int first, int last)
{
    std::vector<counted> rows;
    for (const int value : range(first, last))
        rows.emplace_back(value);
    return rows;
}

}  // namespace difference_cases

BOOST_FIXTURE_TEST_SUITE(difference_cases, difference_fixture)

// D1: a cancelled batch returns what it held.

BOOST_AUTO_TEST_CASE(d1_the_next_consumer_is_tried)
{
    const auto first = start(queue.dequeue_many(4));
    const auto second = start(queue.dequeue_many(2));
    const auto third = start(queue.dequeue());
    fill(queue, {1, 2, 3});

    first.cancel();
    run();

    first.check_error(aborted);
    BOOST_TEST(second.result() == range(1, 2));
    BOOST_TEST(third.result() == 3);
}

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

// D2: a value handed to a consumer that is cancelled before it runs is returned.

BOOST_AUTO_TEST_CASE(d2_assigned_and_cancelled_returns_to_the_front)
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

// D4: a plain close is immediate, and only those that wait already are let in.

BOOST_AUTO_TEST_CASE(d4_plain_close_returns_at_once)
{
    fifo single{ctx, {.capacity = 1}};
    put(single, 1);
    const auto waiting = start_enqueue(single, 2);

    single.close();
    BOOST_TEST(single.is_closed());
    const auto late = start_enqueue(single, 3);
    late.check_error(errc::queue_closed);
    waiting.check_pending();

    BOOST_TEST(get_each(single, 2) == range(1, 2));
    waiting.result();
    start(single.dequeue()).check_error(errc::end_of_queue);
}

// D5: closing is idempotent.

BOOST_AUTO_TEST_CASE(d5_cancel_pending_after_a_plain_close)
{
    fifo single{ctx, {.capacity = 1}};
    put(single, 1);
    const auto first = start_enqueue(single, 2);
    const auto second = start_enqueue_many(single, {3, 4});

    single.close();
    single.close(close_mode::cancel_pending);
    single.close(close_mode::cancel_pending);
    single.close();
    run();

    first.check_error(errc::queue_closed);
    second.check_error(errc::queue_closed);
    BOOST_TEST(get(single.dequeue()) == 1);
    start(single.dequeue()).check_error(errc::end_of_queue);
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

// D15: each operation can have a deadline.

BOOST_AUTO_TEST_CASE(d15_every_operation_times_out_and_changes_nothing)
{
    fifo full{ctx, {.capacity = 1}};
    put(full, 1);
    int element = 2;
    batch rows = {3, 4};
    const auto one = start(queue.dequeue().within(1ms));
    const auto next = start(queue.next().within(1ms));
    const auto many = start(queue.dequeue_many(2).within(1ms));
    const auto up_to = start(queue.dequeue_up_to(2).within(1ms));
    const auto some = start(queue.dequeue_some(2).within(1ms));
    const auto enqueue = start(full.enqueue(std::move(element)).within(1ms));
    const auto enqueue_many = start(full.enqueue_many(rows).within(1ms));
    run_until([&] {
        return one.done() && next.done() && many.done() && up_to.done() && some.done() &&
               enqueue.done() && enqueue_many.done();
    });

    one.check_error(errc::timed_out);
    next.check_error(errc::timed_out);
    many.check_error(errc::timed_out);
    up_to.check_error(errc::timed_out);
    some.check_error(errc::timed_out);
    enqueue.check_error(errc::timed_out);
    enqueue_many.check_error(errc::timed_out);
    put(queue, 5);
    BOOST_TEST(get(queue.dequeue()) == 5);
    BOOST_TEST(full.size() == 1U);
    BOOST_TEST(get(full.dequeue()) == 1);
}

BOOST_AUTO_TEST_CASE(d15_timed_out_batch_lets_the_next_consumer_proceed)
{
    const auto first = start(queue.dequeue_many(4).within(1ms));
    const auto second = start(queue.dequeue_many(2));
    fill(queue, range(1, 3));

    run_until([&] { return second.done(); });
    run();

    first.check_error(errc::timed_out);
    BOOST_TEST(second.result() == range(1, 2));
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
