// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "unit/queue/core_driver.hpp"
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>

namespace test = sluice::test;
using sluice::detail::delivery;
using sluice::detail::wait_mode;

namespace queue_core_linger {

using fifo = test::core_driver<>;
using priority = test::core_driver<int, sluice::priority_store<int, std::less<>>>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

}  // namespace queue_core_linger

BOOST_AUTO_TEST_SUITE(queue_core_linger)

BOOST_AUTO_TEST_CASE(a_full_batch_does_not_linger)
{
    fifo q(4);
    q.put({1, 2, 3});
    auto& batch = q.dequeue_lingering("batch", 3);
    BOOST_TEST(batch.text() == "[1, 2, 3]");
    BOOST_TEST(!batch.lingers());
}

BOOST_AUTO_TEST_CASE(the_time_begins_with_the_first_element)
{
    fifo q(4);
    auto& batch = q.dequeue_lingering("batch", 3);
    BOOST_TEST(!batch.lingers());
    q.put({1});
    BOOST_TEST(batch.lingers());
    BOOST_TEST(batch.text() == "waits [1]");
    q.put({2, 3});
    BOOST_TEST(batch.text() == "[1, 2, 3]");
}

BOOST_AUTO_TEST_CASE(the_time_of_one_behind_another_begins_when_it_is_first)
{
    fifo q(4);
    auto& first = q.dequeue_many("first", 2);
    auto& batch = q.dequeue_lingering("batch", 2);
    q.put({1});
    BOOST_TEST(!batch.lingers());
    q.put({2, 3});
    BOOST_TEST(first.text() == "[1, 2]");
    BOOST_TEST(batch.lingers());
    BOOST_TEST(batch.text() == "waits [3]");
    q.cancel(batch);
}

BOOST_AUTO_TEST_CASE(when_the_time_is_over_it_has_what_there_is)
{
    fifo q(4);
    auto& batch = q.dequeue_lingering("batch", 3);
    auto& next = q.dequeue("next");
    q.put({1, 2});
    q.expire(batch);
    BOOST_TEST(batch.text() == "[1, 2]");
    BOOST_TEST(next.text() == "waits");
    BOOST_TEST(q.told() == "batch");
    q.put({3});
    BOOST_TEST(next.text() == "3");
    BOOST_TEST(q.stats().dequeued == 3U);
}

BOOST_AUTO_TEST_CASE(a_batch_larger_than_the_queue_makes_room_while_it_lingers)
{
    fifo q(2);
    auto& batch = q.dequeue_lingering("batch", 5);
    auto& rows = q.enqueue("rows", {1, 2, 3, 4});
    BOOST_TEST(rows.text() == "ok");
    q.expire(batch);
    BOOST_TEST(batch.text() == "[1, 2, 3, 4]");
}

BOOST_AUTO_TEST_CASE(a_time_that_is_over_before_anything_came_is_a_timeout)
{
    fifo q(4);
    auto& batch = q.dequeue_lingering("batch", 3);
    q.expire(batch);
    BOOST_TEST(batch.text() == "timed_out");
}

BOOST_AUTO_TEST_CASE(a_timeout_of_one_behind_another_takes_nothing)
{
    fifo q(4);
    auto& first = q.dequeue_many("first", 2);
    auto& batch = q.dequeue_lingering("batch", 2);
    q.put({1});
    q.expire(batch);
    BOOST_TEST(batch.text() == "timed_out");
    BOOST_TEST(first.text() == "waits [1]");
    q.cancel(first);
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(a_timeout_of_one_behind_another_leaves_what_that_one_waits_for
)  // P5
{
    priority q(4);
    auto& first = q.dequeue_many("first", 3);
    auto& batch = q.dequeue_lingering("batch", 2);
    q.put({1, 2});
    q.expire(batch);
    BOOST_TEST(batch.text() == "timed_out");
    BOOST_TEST(q.size() == 2U);
    q.put({3});
    BOOST_TEST(first.text() == "[1, 2, 3]");
}

// The race of the last element with the timer: whatever was decided stands.
BOOST_AUTO_TEST_CASE(a_time_that_is_over_after_the_decision_changes_nothing)
{
    fifo q(4);
    auto& batch = q.dequeue_lingering("batch", 2);
    q.put({1, 2});
    q.expire(batch);
    BOOST_TEST(batch.text() == "[1, 2]");
    BOOST_TEST(batch.deliveries() == 1);
    q.finish(batch);
    q.expire(batch);
    BOOST_TEST(batch.text() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(a_time_that_is_over_before_the_start_leaves_one_attempt)
{
    fifo q(4);
    q.put({1});
    auto& batch = q.idle_consumer("batch", test::core_driver<>::demand::linger, 2);
    q.expire(batch);
    BOOST_TEST(q.core().start(batch, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(batch.text() == "[1]");
    auto& none = q.idle_consumer("none", test::core_driver<>::demand::linger, 2);
    q.expire(none);
    BOOST_TEST(q.core().start(none, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(none.text() == "timed_out");
}

BOOST_AUTO_TEST_CASE(a_cancellation_returns_what_it_holds)
{
    fifo q(4);
    auto& waits = q.dequeue_lingering("waits", 3);
    q.put({1, 2});
    q.cancel(waits);
    BOOST_TEST(waits.text() == "aborted");
    BOOST_TEST(q.take() == "[1, 2]");
}

// Until the owner has it, a batch that is complete can be taken back, as every other.
BOOST_AUTO_TEST_CASE(a_cancellation_takes_back_what_the_time_has_completed)
{
    fifo q(4);
    auto& batch = q.dequeue_lingering("batch", 3);
    q.put({1, 2});
    q.expire(batch);
    q.cancel(batch);
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(q.take() == "[1, 2]");
    BOOST_TEST(q.stats().returned == 2U);
}

// Its elements stay where a better one may still come before them.
BOOST_AUTO_TEST_CASE(a_priority_queue_keeps_the_elements_until_the_time_is_over)
{
    priority q(4);
    auto& batch = q.dequeue_lingering("batch", 3);
    q.put({7});
    BOOST_TEST(batch.lingers());
    BOOST_TEST(batch.text() == "waits");
    BOOST_TEST(q.size() == 1U);
    q.expire(batch);
    BOOST_TEST(batch.text() == "[7]");
}

BOOST_AUTO_TEST_CASE(what_a_shuffle_queue_keeps_behind_does_not_begin_the_time)
{
    shuffle q(sluice::shuffle_queue_options{.capacity = 4, .min_after_dequeue = 1});
    auto& batch = q.dequeue_lingering("batch", 2);
    q.put({7});
    BOOST_TEST(!batch.lingers());
    q.expire(batch);
    BOOST_TEST(batch.text() == "timed_out");
    BOOST_TEST(q.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
