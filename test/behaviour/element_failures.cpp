// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S9

// S9: when copying or comparing elements throws, the operation fails, no element is
// lost, and the queue stays usable.

#include "behaviour/queue_cases.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace test = sluice::test;
using sluice::errc;

namespace element_failures {

// An element whose copying fails while it is told to.
struct uncopyable
{
    explicit uncopyable(int number) : value(number) {}
    uncopyable(uncopyable&&) noexcept = default;
    uncopyable(const uncopyable& other) : value(other.value)
    {
        if (fails)
            throw std::runtime_error("cannot copy");
    }
    ~uncopyable() = default;

    static inline bool fails = false;

    int value;
};

// An element that can be moved to a new place, but not assigned.
struct unassignable
{
    explicit unassignable(int number) : value{number} {}

    friend bool operator<(const unassignable& a, const unassignable& b)
    {
        return a.value < b.value;
    }

    const int value;
};

// A comparison that fails while it is told to.
struct unable_to_compare
{
    static inline bool enabled = false;

    bool operator()(int a, int b) const
    {
        if (enabled)
            throw std::runtime_error("cannot compare");
        return a < b;
    }
};

// A comparison that fails once, after so many that do not.
struct fails_after
{
    static inline std::size_t good = SIZE_MAX;

    bool operator()(int a, int b) const
    {
        if (good-- == 0)
            throw std::runtime_error("cannot compare");
        return a < b;
    }
};

// A batch that needs more than so many comparisons fails, and nothing is lost; false: it does not
// need as many.
bool batch_fails_without_loss(std::size_t good)
{
    test::queue_fixture io;
    sluice::priority_queue<int, fails_after> queue{
        io.ctx,
        {.capacity = sluice::unbounded}
    };
    for (const int value : {4, 2, 1, 3})
        io.put(queue, int(value));

    fails_after::good = good;
    auto batch = queue.async_dequeue_many(4, test::record);
    io.run();
    const bool failed = fails_after::good > good;  // the one that throws is behind 0
    fails_after::good = SIZE_MAX;

    if (failed) {
        BOOST_TEST(queue.stats().size == 4U);
        BOOST_TEST(io.get(queue.dequeue_many(4)) == test::range(1, 4));
    } else {
        batch.check_success();
    }
    return failed;
}

template <class Queue>
void carries_unassignable_elements()
{
    test::queue_fixture io;
    Queue queue{io.ctx, {.capacity = 2}};
    io.put(queue, unassignable{1});
    io.put(queue, unassignable{2});

    const int sum = io.get(queue.dequeue()).value + io.get(queue.dequeue()).value;

    BOOST_TEST(sum == 3);
}

}  // namespace element_failures

BOOST_AUTO_TEST_SUITE(element_failures)

BOOST_AUTO_TEST_CASE(s9_copy_that_throws_is_told_and_the_element_stays)
{
    test::queue_fixture io;
    sluice::fifo_queue<uncopyable> queue{io.ctx, {.capacity = sluice::unbounded}};
    const uncopyable element{7};

    uncopyable::fails = true;
    BOOST_CHECK_THROW(io.get(queue.enqueue(element)), std::runtime_error);
    uncopyable::fails = false;

    BOOST_TEST(queue.stats().enqueued == 0U);
    io.get(queue.enqueue(element));
    BOOST_TEST(io.get(queue.dequeue()).value == 7);
}

BOOST_AUTO_TEST_CASE(s9_copy_that_throws_when_a_consumer_waits_leaves_it_waiting)
{
    for (const std::size_t capacity : {0U, 1U}) {
        test::queue_fixture io;
        sluice::fifo_queue<uncopyable> queue{io.ctx, {.capacity = capacity}};
        const uncopyable element{7};
        auto taken = queue.async_dequeue(test::record);

        uncopyable::fails = true;
        BOOST_CHECK_THROW(io.get(queue.enqueue(element)), std::runtime_error);
        uncopyable::fails = false;

        taken.check_pending();
        io.get(queue.enqueue(element));
        io.run();
        taken.check_success();
    }
}

BOOST_AUTO_TEST_CASE(s9_comparison_that_throws_is_told_and_costs_no_element)  // P1
{
    test::queue_fixture io;
    sluice::priority_queue<int, unable_to_compare> queue{
        io.ctx,
        {.capacity = sluice::unbounded}
    };
    for (const int value : {3, 1, 2})
        io.put(queue, int(value));
    auto taken =
        queue.async_dequeue_many(2, test::record.cancellable());  // still to be told

    unable_to_compare::enabled = true;
    taken.cancel();
    io.run();
    taken.check_error(boost::asio::error::operation_aborted);
    int refused = 0;
    BOOST_CHECK_THROW((void)queue.try_enqueue(std::move(refused)), std::runtime_error);
    BOOST_CHECK_THROW(io.get(queue.enqueue(std::move(refused))), std::runtime_error);
    BOOST_CHECK_THROW((void)queue.try_dequeue(), std::runtime_error);
    BOOST_CHECK_THROW((void)io.get(queue.dequeue()), std::runtime_error);
    BOOST_CHECK_THROW((void)io.get(queue.dequeue_many(2)), std::runtime_error);
    unable_to_compare::enabled = false;

    const sluice::queue_stats now = queue.stats();
    BOOST_TEST(now.size == 3U);
    BOOST_TEST(now.enqueued + now.returned == now.dequeued + now.size);
    BOOST_TEST(io.get(queue.dequeue_many(3)) == test::range(1, 3));
}

BOOST_AUTO_TEST_CASE(s9_comparison_that_throws_within_a_batch_costs_no_element)  // P1
{
    std::size_t failures = 0;
    while (batch_fails_without_loss(failures))
        ++failures;
    BOOST_TEST(failures > 2U);  // some after the first element was taken
}

BOOST_AUTO_TEST_CASE(s9_elements_need_not_be_assignable)
{
    carries_unassignable_elements<sluice::fifo_queue<unassignable>>();
    carries_unassignable_elements<sluice::shuffle_queue<unassignable>>();
    carries_unassignable_elements<sluice::priority_queue<unassignable>>();
}

BOOST_AUTO_TEST_SUITE_END()
