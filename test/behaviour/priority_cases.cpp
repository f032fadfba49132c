// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: T9 D6 D7 D8 S8

// The order of the priority queue (T9), with D6 to D8 and S8. What it shares with the other kinds
// is in queue_kinds.cpp.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/priority_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using test::range;
using batch = std::vector<int>;

namespace priority_cases {

using priority = sluice::priority_queue<int>;

struct job
{
    int priority = 0;
    std::string name;
};

struct by_priority
{
    bool operator()(const job& a, const job& b) const { return a.priority < b.priority; }
};

using job_queue = sluice::priority_queue<job, by_priority>;

struct priority_fixture : test::queue_fixture
{
    priority queue{ctx, {.capacity = 10}};
    priority small{ctx, {.capacity = 3, .name = "urgent"}};
    job_queue jobs{ctx, {.capacity = 10}};
};

}  // namespace priority_cases

BOOST_FIXTURE_TEST_SUITE(priority_cases, priority_fixture)

// Sorting.

BOOST_AUTO_TEST_CASE(every_form_of_dequeue_takes_the_smallest)
{
    fill(queue, {7, 3, 9, 1, 8, 2, 6, 4, 5});

    BOOST_TEST(get(queue.dequeue()) == 1);
    BOOST_TEST(get(queue.next()) == std::optional(2));
    BOOST_TEST(queue.try_dequeue() == std::optional(3));
    BOOST_TEST(get(queue.dequeue_some(2)) == (batch{4, 5}));
    BOOST_TEST(queue.try_dequeue_many(2) == (batch{6, 7}));
    BOOST_TEST(get(queue.dequeue_up_to(2)) == (batch{8, 9}));
}

// Ties.

BOOST_AUTO_TEST_CASE(d8_what_is_returned_is_the_first_of_its_equals)
{
    const auto waiting = start(jobs.dequeue());
    inside([&] {
        std::vector<job> given{{1, "a"}, {1, "b"}, {0, "c"}};
        BOOST_TEST(jobs.try_enqueue_many(given) == 3U);
        waiting.cancel();
    });
    waiting.check_error(boost::asio::error::operation_aborted);

    std::string order;
    for (const job& one : get(jobs.dequeue_many(3)))
        order += one.name;

    BOOST_TEST(order == "cab");
}

BOOST_AUTO_TEST_CASE(d8_a_batch_that_is_returned_keeps_its_order)
{
    const auto waiting = start(jobs.dequeue_many(3));
    inside([&] {
        std::vector<job> given{{1, "a"}, {1, "b"}, {1, "c"}, {1, "d"}};
        BOOST_TEST(jobs.try_enqueue_many(given) == 4U);
        waiting.cancel();
    });
    waiting.check_error(boost::asio::error::operation_aborted);

    std::string order;
    for (const job& one : get(jobs.dequeue_many(4)))
        order += one.name;

    BOOST_TEST(order == "abcd");
}

// A batch waits until all of it is stored.

BOOST_AUTO_TEST_CASE(waiting_batch_takes_nothing_before_it_takes_all)
{
    const auto waiting = start(queue.dequeue_many(3));
    fill(queue, {3, 2});
    waiting.check_pending();
    BOOST_TEST(queue.size() == 2U);

    put(queue, 1);

    BOOST_TEST(waiting.result() == range(1, 3));
    BOOST_TEST(queue.size() == 0U);
}

// Above the capacity.

BOOST_AUTO_TEST_CASE(d7_s8_batches_above_the_capacity_are_refused)
{
    fill(small, range(1, 3));

    const auto many = start(small.dequeue_many(4));
    const auto up_to = start(small.dequeue_up_to(4));

    many.check_error(errc::invalid_argument);
    BOOST_TEST(
        test::contains(test::what(many.error()), "dequeue_many(4) on queue 'urgent'")
    );
    up_to.check_error(errc::invalid_argument);
    BOOST_TEST(get(small.dequeue_some(4)) == range(1, 3));
}

BOOST_AUTO_TEST_CASE(d7_an_unbounded_queue_has_no_limit)
{
    priority endless{ctx, {.capacity = sluice::unbounded}};
    const auto waiting = start(endless.dequeue_many(5000));
    fill(endless, range(2, 5000));
    waiting.check_pending();

    put(endless, 1);

    BOOST_TEST((waiting.result() == range(1, 5000)));
}

// Closing.

BOOST_AUTO_TEST_CASE(d6_dequeue_up_to_of_a_closed_short_queue_returns_what_is_left)
{
    fill(queue, {3, 1, 2});
    queue.close();

    BOOST_TEST(get(queue.dequeue_up_to(5)) == range(1, 3));
    start(queue.dequeue_up_to(5)).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_SUITE_END()
