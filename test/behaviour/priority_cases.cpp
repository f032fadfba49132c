// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The priority queue: the cases of TensorFlow's priority_queue_test, with D6 to D8 and S8,
// and the same situations as those of the other queues. Left out: a priority that is no
// number, because the element's type and its comparison say what a priority is. A batch above
// the capacity is refused (D7), so it cannot wait for a producer that waits for it.

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/priority_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::joined;
using test::range;
using test::sorted;
using test::tens;
using batch = std::vector<int>;

namespace priority_cases {

using priority = sluice::priority_queue<int>;

// An element with a priority and two side values.
struct job
{
    std::int64_t priority = 0;
    std::string first;
    std::string second;

    friend bool operator==(const job&, const job&) = default;
};

struct by_priority
{
    bool operator()(const job& a, const job& b) const { return a.priority < b.priority; }
};

using job_queue = sluice::priority_queue<job, by_priority>;

// Priorities lowest, ..., lowest + different - 1, over and over, in an order given by a
// seed; the side values tell the jobs apart and name their priority.
std::vector<job> shuffled_jobs(int count, int lowest, int different, unsigned seed)
{
    std::vector<job> jobs;
    for (int i = 0; i < count; ++i) {
        const int value = lowest + i % different;
        jobs.push_back({value, "job " + std::to_string(i), std::to_string(value)});
    }
    std::mt19937 random{seed};
    for (std::size_t i = jobs.size(); i > 1; --i)
        std::swap(jobs[i - 1], jobs[random() % i]);
    return jobs;
}

// In the order of their priorities, every job once, side values with their priority.
void check_sorted_jobs(const std::vector<job>& got, const std::vector<job>& given)
{
    BOOST_TEST(got.size() == given.size());
    BOOST_TEST(std::ranges::is_sorted(got, by_priority{}));
    BOOST_TEST(std::ranges::is_permutation(got, given));
    BOOST_TEST(std::ranges::all_of(got, [](const job& one) {
        return one.second == std::to_string(one.priority);
    }));
}

struct priority_fixture : test::queue_fixture
{
    priority queue{ctx, {.capacity = 10}};
    priority small{ctx, {.capacity = 3, .name = "urgent"}};
    job_queue jobs{ctx, {.capacity = 2000}};
};

}  // namespace priority_cases

BOOST_FIXTURE_TEST_SUITE(priority_cases, priority_fixture)

// Sorting.

BOOST_AUTO_TEST_CASE(round_trip_insert_read_once_sorts)
{
    const auto given = shuffled_jobs(100, -5, 10, 1);
    for (const job& one : given)
        put(jobs, one);

    check_sorted_jobs(get(jobs.dequeue_many(100)), given);
}

BOOST_AUTO_TEST_CASE(round_trip_insert_many_multi_threaded_read_once_sorts)
{
    const auto given = shuffled_jobs(100, -5, 10, 5);
    sluice::io_context_pool pool{4};
    job_queue shared{pool, {.capacity = 2000}};
    std::vector<job> got;

    test::run_threads(21, [&](std::size_t i) {
        if (i == 20) {
            got = pool.run(test::perform(shared.dequeue_many(100)));
            return;
        }
        const auto first = given.begin() + static_cast<std::ptrdiff_t>(5 * i);
        pool.run(test::enqueue_many_owned(shared, {first, first + 5}));
    });

    check_sorted_jobs(got, given);
}

BOOST_AUTO_TEST_CASE(round_trip_insert_once_read_once_sorts)
{
    const auto given = shuffled_jobs(1000, -100, 200, 6);
    fill(jobs, given);

    check_sorted_jobs(get(jobs.dequeue_many(1000)), given);
}

BOOST_AUTO_TEST_CASE(round_trip_insert_once_read_many_sorts)
{
    const auto given = shuffled_jobs(1000, -100, 200, 7);
    fill(jobs, given);

    std::vector<job> got;
    for (int i = 0; i < 10; ++i)
        got = joined(got, get(jobs.dequeue_many(100)));

    check_sorted_jobs(got, given);
}

BOOST_AUTO_TEST_CASE(round_trip_insert_once_read_once_lots_sorts)
{
    const auto given = shuffled_jobs(1000, -100, 200, 8);
    fill(jobs, given);

    check_sorted_jobs(get_each(jobs, 1000), given);
}

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

BOOST_AUTO_TEST_CASE(another_comparison)
{
    sluice::priority_queue<int, std::greater<>> largest_first{ctx, {.capacity = 10}};
    fill(largest_first, {2, 3, 1});

    BOOST_TEST(get(largest_first.dequeue_many(3)) == (batch{3, 2, 1}));
}

BOOST_AUTO_TEST_CASE(the_smallest_number_is_first)
{
    using limits = std::numeric_limits<std::int64_t>;
    sluice::priority_queue<std::int64_t> numbers{ctx, {.capacity = 10}};
    fill(numbers, {0, limits::max(), -1, limits::min(), 1});

    const std::vector<std::int64_t> expected{limits::min(), -1, 0, 1, limits::max()};
    BOOST_TEST(get(numbers.dequeue_many(5)) == expected);
}

// Ties.

BOOST_AUTO_TEST_CASE(d8_ties_are_first_come_first_served)
{
    fill(jobs, {{1, "a", ""}, {0, "b", ""}, {1, "c", ""}, {0, "d", ""}});
    put(jobs, {1, "e", ""});
    put(jobs, {0, "f", ""});

    std::string order;
    for (const job& one : get(jobs.dequeue_many(6)))
        order += one.first;

    BOOST_TEST(order == "bdface");
}

BOOST_AUTO_TEST_CASE(d8_many_ties_keep_their_order)
{
    auto given = shuffled_jobs(1000, 0, 3, 31);
    fill(jobs, given);

    std::ranges::stable_sort(given, by_priority{});
    BOOST_TEST((get(jobs.dequeue_many(1000)) == given));
}

BOOST_AUTO_TEST_CASE(d8_what_is_returned_is_the_first_of_its_equals)
{
    const auto waiting = start(jobs.dequeue());
    inside([&] {
        std::vector<job> given{{1, "a", ""}, {1, "b", ""}, {0, "c", ""}};
        BOOST_TEST(jobs.try_enqueue_many(given) == 3U);
        waiting.cancel();
    });
    waiting.check_error(boost::asio::error::operation_aborted);

    std::string order;
    for (const job& one : get(jobs.dequeue_many(3)))
        order += one.first;

    BOOST_TEST(order == "cab");
}

BOOST_AUTO_TEST_CASE(d8_a_batch_that_is_returned_keeps_its_order)
{
    const auto waiting = start(jobs.dequeue_many(3));
    inside([&] {
        std::vector<job> given{{1, "a", ""}, {1, "b", ""}, {1, "c", ""}, {1, "d", ""}};
        BOOST_TEST(jobs.try_enqueue_many(given) == 4U);
        waiting.cancel();
    });
    waiting.check_error(boost::asio::error::operation_aborted);

    std::string order;
    for (const job& one : get(jobs.dequeue_many(4)))
        order += one.first;

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

BOOST_AUTO_TEST_CASE(a_blocked_batch_blocks_those_behind_it)
{
    const auto batch_of_3 = start(queue.dequeue_many(3));
    const auto behind = start(queue.dequeue());
    fill(queue, {2, 3});
    behind.check_pending();
    BOOST_TEST(queue.try_dequeue() == std::optional<int>());

    put(queue, 4);
    BOOST_TEST(batch_of_3.result() == range(2, 4));
    behind.check_pending();
    put(queue, 1);
    BOOST_TEST(behind.result() == 1);
}

BOOST_AUTO_TEST_CASE(cancelled_batch_lets_those_behind_it_proceed)
{
    const auto batch_of_3 = start(queue.dequeue_many(3));
    const auto behind = start(queue.dequeue());
    fill(queue, {2, 3});

    batch_of_3.cancel();
    run();

    batch_of_3.check_error(boost::asio::error::operation_aborted);
    BOOST_TEST(behind.result() == 2);
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_waits_for_all_while_open)
{
    const auto waiting = start(small.dequeue_up_to(3));
    fill(small, {3, 1});
    waiting.check_pending();

    put(small, 2);

    BOOST_TEST(waiting.result() == range(1, 3));
}

BOOST_AUTO_TEST_CASE(dequeue_some_takes_what_is_there)
{
    const auto waiting = start(small.dequeue_some(9));
    put(small, 2);

    BOOST_TEST(waiting.result() == batch{2});
}

BOOST_AUTO_TEST_CASE(a_producer_is_let_in_by_each_dequeue)
{
    const auto producer = start_enqueue_many(small, {5, 4, 3, 2, 1});
    producer.check_pending();

    // what is not in yet does not count
    BOOST_TEST(get_each(small, 5) == (batch{3, 2, 1, 4, 5}));

    BOOST_TEST(producer.result() == 5U);
}

BOOST_AUTO_TEST_CASE(capacity_1_keeps_the_order)
{
    priority single{ctx, {.capacity = 1}};
    const auto producer = start_enqueue_many(single, {3, 1, 2});

    BOOST_TEST(get_each(single, 3) == (batch{3, 1, 2}));

    BOOST_TEST(producer.result() == 3U);
}

BOOST_AUTO_TEST_CASE(capacity_0_is_refused)
{
    const auto is_refusal = [](const sluice::system_error& error) {
        return error.code() == errc::invalid_argument &&
               test::contains(error.what(), "'none'");
    };

    BOOST_CHECK_EXCEPTION(
        priority(ctx, {.capacity = 0, .name = "none"}),
        sluice::system_error,
        is_refusal
    );
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

BOOST_AUTO_TEST_CASE(batches_above_the_capacity_of_a_closed_queue_keep_the_rows)
{
    fill(small, range(1, 3));
    small.close();

    start(small.dequeue_many(5)).check_error(errc::invalid_argument);
    start(small.dequeue_up_to(5)).check_error(errc::invalid_argument);

    BOOST_TEST(small.size() == 3U);
    BOOST_TEST(small.try_dequeue_many(5) == range(1, 3));
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

BOOST_AUTO_TEST_CASE(d6_waiting_dequeue_up_to_gets_what_is_left)
{
    const auto first = start(queue.dequeue_up_to(5));
    const auto second = start(queue.dequeue_up_to(5));
    fill(queue, {3, 1, 2});

    queue.close();
    run();

    BOOST_TEST(first.result() == range(1, 3));
    second.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(dequeue_many_of_a_closed_short_queue_keeps_the_rows)
{
    const auto waiting = start(queue.dequeue_many(5));
    fill(queue, {3, 1, 2});

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
    BOOST_TEST(test::contains(test::what(waiting.error()), "3 left"));
    BOOST_TEST(get(queue.dequeue_many(3)) == range(1, 3));
}

BOOST_AUTO_TEST_CASE(cancelling_close_resolves_the_whole_line)
{
    put(small, 1);
    const auto batch_of_3 = start(small.dequeue_many(3));
    const auto behind = start(small.dequeue());
    const auto last = start(small.dequeue_up_to(2));

    small.close(close_mode::cancel_pending);
    run();

    batch_of_3.check_error(errc::end_of_queue);
    BOOST_TEST(behind.result() == 1);
    last.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(each_waiting_consumer_of_a_closed_queue_ends)
{
    test::closing_ends_waiting_consumers<priority>({.capacity = 10});
}

BOOST_AUTO_TEST_CASE(closed_queue_refuses)
{
    queue.close();

    start_enqueue(queue, 1).check_error(errc::queue_closed);
    start_enqueue_many(queue, {1, 2}).check_error(errc::queue_closed);
    BOOST_TEST(!queue.try_enqueue(1));
    BOOST_TEST(start_enqueue_many(queue, {}).result() == 0U);
    BOOST_TEST(get(queue.dequeue_many(0)).empty());
}

BOOST_AUTO_TEST_CASE(plain_close_lets_waiting_producers_in)
{
    const auto producer = start_enqueue_many(small, {4, 3, 2, 1});
    small.close();
    run();
    producer.check_pending();

    BOOST_TEST(get(small.dequeue()) == 2);
    BOOST_TEST(producer.result() == 4U);
    BOOST_TEST(get(small.dequeue_up_to(3)) == (batch{1, 3, 4}));
    start(small.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(stop_ends_each_blocked_operation)
{
    test::stop_ends_blocked_operations<priority>();
}

// Many threads.

BOOST_AUTO_TEST_CASE(enqueue_from_many_threads)
{
    test::parallel_enqueue<priority>();
}

BOOST_AUTO_TEST_CASE(dequeue_from_many_threads)
{
    test::parallel_dequeue<priority>();
}

BOOST_AUTO_TEST_CASE(dequeue_many_from_many_threads)
{
    test::parallel_dequeue_many<priority>();
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_of_a_closed_queue_from_many_threads)
{
    test::parallel_dequeue_up_to_closed<priority>();
}

BOOST_AUTO_TEST_SUITE_END()
