// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/queue_stats.hpp>

#include "unit/queue/core_driver.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(queue_stats)

BOOST_AUTO_TEST_CASE(every_field_counts_what_it_says)
{
    sluice::test::core_driver<> q(3);
    q.put({1, 2});
    auto& batch = q.dequeue_many("batch", 4);
    q.dequeue("waits");
    sluice::queue_stats now = q.stats();
    BOOST_TEST(now.size == 0U);
    BOOST_TEST(now.capacity == 3U);
    BOOST_TEST(now.held == 2U);
    BOOST_TEST(now.waiting_producers == 0U);
    BOOST_TEST(now.waiting_consumers == 2U);
    BOOST_TEST(now.high_water == 2U);
    BOOST_TEST(now.enqueued == 2U);
    BOOST_TEST(now.dequeued == 0U);
    BOOST_TEST(now.returned == 0U);
    BOOST_TEST(!now.closed);

    q.enqueue("rows", {3, 4, 5, 6, 7, 8, 9});
    now = q.stats();
    BOOST_TEST(now.size == 3U);
    BOOST_TEST(now.held == 0U);
    BOOST_TEST(now.waiting_producers == 1U);
    BOOST_TEST(now.waiting_consumers == 0U);
    BOOST_TEST(now.high_water == 3U);
    BOOST_TEST(now.enqueued == 8U);
    BOOST_TEST(now.dequeued == 5U);

    q.cancel(batch);
    q.close();
    now = q.stats();
    BOOST_TEST(now.returned == 4U);
    BOOST_TEST(now.size == 7U);
    BOOST_TEST(now.closed);
}

BOOST_AUTO_TEST_CASE(new_snapshot_is_zero)
{
    const sluice::queue_stats zero;
    BOOST_TEST(zero.size + zero.capacity + zero.held + zero.high_water == 0U);
    BOOST_TEST(zero.enqueued + zero.dequeued + zero.returned + zero.dropped == 0U);
    BOOST_TEST(!zero.closed);
    BOOST_TEST(zero.weight + zero.weight_limit == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
