// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/printing.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

// What a queue core does as a whole: worked traces. Random operations are compared with a
// model by sluice_model, in test/model.

namespace test = sluice::test;
using sluice::close_mode;

namespace queue_core_traces {

using fifo = test::core_driver<>;
using priority = test::core_driver<int, sluice::priority_store<int, std::less<>>>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

}  // namespace queue_core_traces

BOOST_AUTO_TEST_SUITE(queue_core_traces)

// worked traces: every waiter and every element, step by step

BOOST_AUTO_TEST_CASE(trace_1_close_gives_the_rows_of_the_first_batch_to_the_second)
{
    fifo q(10);
    auto& first = q.dequeue_many("first", 4);
    auto& second = q.dequeue_many("second", 2);
    auto& rows = q.enqueue("rows", {1, 2, 3});
    BOOST_TEST(rows.text() == "ok");
    BOOST_TEST(first.text() == "waits [1, 2, 3]");
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.stats().held == 3U);
    BOOST_TEST(q.told() == "rows");

    q.close();
    BOOST_TEST(first.text() == "end_of_queue (3 left)");
    BOOST_TEST(second.text() == "[1, 2]");
    BOOST_TEST(q.told() == "first second");
    BOOST_TEST(q.take() == "[3]");
}

BOOST_AUTO_TEST_CASE(trace_2_returned_rows_may_exceed_the_capacity)
{
    fifo q(2);
    auto& batch = q.dequeue_many("batch", 10);
    for (int i = 0; i < 7; ++i)
        BOOST_TEST(q.enqueue("row", {i}).text() == "ok");
    BOOST_TEST(q.size() == 0U);

    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (7 left)");
    BOOST_TEST(q.size() == 7U);
    BOOST_TEST(q.stats().high_water == 7U);
    BOOST_TEST(q.take() == "[0, 1, 2, 3, 4, 5, 6]");
}

BOOST_AUTO_TEST_CASE(trace_3_cancelled_batch_puts_its_rows_back)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    q.enqueue("rows", {1, 2});
    BOOST_TEST(batch.text() == "waits [1, 2]");

    q.cancel(batch);
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(q.told() == "rows batch");
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(trace_4_cancelled_enqueue_many_leaves_its_rows_in)
{
    fifo q(2);
    auto& many = q.enqueue("many", {1, 2, 3, 4});
    auto& one = q.enqueue("one", {9});
    BOOST_TEST(many.text() == "waits, 2 in");
    BOOST_TEST(one.text() == "waits");

    q.cancel(many);
    BOOST_TEST(many.text() == "aborted, 2 in");
    BOOST_TEST(one.text() == "waits");
    BOOST_TEST(q.dequeue("d").text() == "1");
    BOOST_TEST(one.text() == "ok");
    BOOST_TEST(q.told() == "many d one");
    BOOST_TEST(q.take() == "[2, 9]");
}

BOOST_AUTO_TEST_CASE(trace_5_plain_close_is_immediate_and_lets_waiting_producers_finish)
{
    fifo q(1);
    q.enqueue("one", {1});
    auto& two = q.enqueue("two", {2});
    q.close();
    BOOST_TEST(q.core().is_closed());
    auto& three = q.enqueue("three", {3});
    BOOST_TEST(three.text() == "queue_closed");
    BOOST_TEST(two.text() == "waits");

    BOOST_TEST(q.dequeue("d").text() == "1");
    BOOST_TEST(two.text() == "ok");
    BOOST_TEST(q.told() == "one three d two");
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(trace_6_cancelling_close_after_a_plain_one_fails_who_still_waits)
{
    fifo q(1);
    q.enqueue("one", {1});
    auto& two = q.enqueue("two", {2});
    q.close();
    BOOST_TEST(two.text() == "waits");

    q.close(close_mode::cancel_pending);
    BOOST_TEST(two.text() == "queue_closed");
    BOOST_TEST(two.rows.front() == 2);
    BOOST_TEST(q.told() == "one two");

    // idempotent, in both modes
    q.close();
    q.close(close_mode::cancel_pending);
    BOOST_TEST(q.told().empty());
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(trace_7_priority_up_to_on_a_closed_short_queue_returns_what_is_there)
{
    priority q(10);
    q.enqueue("rows", {3, 1, 2});
    q.close();
    BOOST_TEST(q.dequeue_up_to("batch", 5).text() == "[1, 2, 3]");
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.dequeue_up_to("again", 5).text() == "end_of_queue (0 left)");
}

BOOST_AUTO_TEST_CASE(trace_8_priority_batch_above_the_capacity_is_refused)
{
    priority q(3);
    BOOST_TEST(q.dequeue_many("batch", 5).text() == "invalid_argument");
    auto& rows = q.enqueue("rows", {5, 4, 3, 2, 1});
    BOOST_TEST(rows.text() == "waits, 3 in");

    BOOST_TEST(q.dequeue("d").text() == "3");
    BOOST_TEST(rows.text() == "waits, 4 in");
    q.close(close_mode::cancel_pending);
    BOOST_TEST(rows.text() == "queue_closed, 4 in");
    BOOST_TEST(q.dequeue_many("refused", 5).text() == "invalid_argument");
    BOOST_TEST(q.take() == "[2, 4, 5]");
}

BOOST_AUTO_TEST_CASE(trace_9_shuffle_up_to_waiters_share_what_is_left_at_the_close)
{
    shuffle q({.capacity = 10, .min_after_dequeue = 2, .seed = 1, .name = "q"});
    auto& first = q.dequeue_up_to("first", 3);
    q.enqueue("rows", {1, 2, 3, 4});
    BOOST_TEST(first.held() == 2U);
    BOOST_TEST(q.size() == 2U);
    auto& second = q.dequeue_up_to("second", 3);
    BOOST_TEST(second.text() == "waits");

    q.close();
    BOOST_TEST(q.told() == "rows first second");
    std::vector<int> all = first.batch();
    BOOST_TEST(all.size() == 3U);
    BOOST_TEST(second.batch().size() == 1U);
    all.insert(all.end(), second.batch().begin(), second.batch().end());
    std::sort(all.begin(), all.end());
    BOOST_TEST(all == numbers(1, 4));
    BOOST_TEST(q.size() == 0U);
}

BOOST_AUTO_TEST_CASE(
    trace_10_close_gives_held_rows_to_the_first_up_to_and_the_end_to_the_second
)
{
    fifo q(10);
    auto& first = q.dequeue_up_to("first", 5);
    q.enqueue("rows", {1, 2});
    auto& second = q.dequeue_up_to("second", 5);

    q.close();
    BOOST_TEST(first.text() == "[1, 2]");
    BOOST_TEST(second.text() == "end_of_queue (0 left)");
    BOOST_TEST(q.told() == "rows first second");
}

BOOST_AUTO_TEST_CASE(trace_11_operations_of_no_rows_succeed_on_a_closed_queue)
{
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}}) {
        fifo q(capacity);
        q.close();
        BOOST_TEST(q.enqueue("rows", {}).text() == "ok");
        BOOST_TEST(q.dequeue_many("many", 0).text() == "[]");
        BOOST_TEST(q.dequeue_up_to("up_to", 0).text() == "[]");
        BOOST_TEST(q.told() == "rows many up_to");
    }
}

BOOST_AUTO_TEST_CASE(trace_12_a_thousand_rows_pass_a_capacity_of_one_in_one_flush)
{
    fifo q(1);
    auto& batch = q.dequeue_many("batch", 1000);
    auto& rows = q.enqueue("rows", numbers(1, 1000));
    BOOST_TEST(rows.text() == "ok");
    BOOST_TEST(batch.batch() == numbers(1, 1000));
    BOOST_TEST(q.told() == "rows batch");
    BOOST_TEST(q.stats().high_water == 1U);
}

BOOST_AUTO_TEST_CASE(trace_13_the_head_consumer_holds_the_line)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    auto& one = q.dequeue("one");
    q.enqueue("a", {1, 2, 3});
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(batch.text() == "waits [1, 2, 3]");
    BOOST_TEST(one.text() == "waits");

    q.enqueue("b", {4, 5});
    BOOST_TEST(batch.text() == "[1, 2, 3, 4]");
    BOOST_TEST(one.text() == "5");
    BOOST_TEST(q.told() == "a b batch one");
}

BOOST_AUTO_TEST_CASE(trace_14_rows_returned_at_the_close_keep_their_order)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 4);
    q.enqueue("rows", {1, 2});
    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (2 left)");
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(q.dequeue("b").text() == "2");
    BOOST_TEST(q.dequeue("c").text() == "end_of_queue (0 left)");
}

BOOST_AUTO_TEST_SUITE_END()
