// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The order of the FIFO queue: elements leave as they came, by any form, at any capacity. What it
// shares with the other kinds is in queue_kinds.cpp.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>

namespace test = sluice::test;
using test::range;

BOOST_FIXTURE_TEST_SUITE(fifo_cases, test::queue_fixture)

BOOST_AUTO_TEST_CASE(elements_leave_in_the_order_in_which_they_came)
{
    for (const std::size_t capacity : {0U, 1U, 3U, 20U}) {
        sluice::fifo_queue<int> queue{ctx, {.capacity = capacity}};
        const auto single = start_enqueue(queue, 1);
        const auto rows = start_enqueue_many(queue, range(2, 10));  // T2: contiguous
        const auto behind = start_enqueue(queue, 11);

        BOOST_TEST(get(queue.dequeue()) == 1);
        BOOST_TEST(get(queue.next()) == std::optional(2));
        BOOST_TEST(queue.try_dequeue() == std::optional(3));
        BOOST_TEST(get(queue.dequeue_many(2)) == range(4, 5));
        BOOST_TEST(get(queue.dequeue_up_to(2)) == range(6, 7));
        const auto some = get(queue.dequeue_some(2));  // fewer, if fewer are stored
        // takes what is stored, then what that lets in
        BOOST_TEST(test::joined(some, queue.try_dequeue_many(9)) == range(8, 11));
        run();
        single.result();
        BOOST_TEST(rows.result() == 9U);
        behind.result();
    }
}

BOOST_AUTO_TEST_CASE(consumers_that_wait_get_elements_in_the_order_in_which_they_came)
{
    for (const std::size_t capacity : {0U, 1U, 20U}) {
        sluice::fifo_queue<int> queue{ctx, {.capacity = capacity}};
        const auto many = start(queue.dequeue_many(3));
        const auto single = start(queue.dequeue());
        const auto up_to = start(queue.dequeue_up_to(2));

        fill(queue, range(1, 6));

        BOOST_TEST(many.result() == range(1, 3));
        BOOST_TEST(single.result() == 4);
        BOOST_TEST(up_to.result() == range(5, 6));
    }
}

BOOST_AUTO_TEST_SUITE_END()
