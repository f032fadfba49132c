// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The shuffle queue: the cases of TensorFlow's random_shuffle_queue_test under their names;
// shuffle_order_cases.cpp has those about min_after_dequeue and the order itself. Changed:
// close() returns at once (D4). Left out, as for the FIFO queue: shapes, shared names and lists
// of queues.

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::joined;
using test::sorted;
using test::tens;
using batch = std::vector<int>;

namespace shuffle_cases {

using shuffle = sluice::shuffle_queue<int>;

// Two components of an element.
using labelled_pair = std::pair<int, std::array<int, 2>>;

std::vector<labelled_pair> labelled_pairs(int count)
{
    std::vector<labelled_pair> result;
    for (int i = 1; i <= count; ++i)
        result.push_back({10 * i, {2 * i - 1, 2 * i}});
    return result;
}

bool is_one_of(int value, const batch& values)
{
    return std::ranges::find(values, value) != values.end();
}

struct shuffle_fixture : test::queue_fixture
{
    shuffle queue{ctx, {.capacity = 10}};
};

}  // namespace shuffle_cases

BOOST_FIXTURE_TEST_SUITE(shuffle_cases, shuffle_fixture)

// One element at a time.

BOOST_AUTO_TEST_CASE(enqueue_stores_an_element)
{
    shuffle with_minimum{ctx, {.capacity = 10, .min_after_dequeue = 5}};
    BOOST_TEST(with_minimum.size() == 0U);

    put(with_minimum, 10);

    BOOST_TEST(with_minimum.size() == 1U);
}

BOOST_AUTO_TEST_CASE(components_stay_aligned)
{
    using pair = std::pair<int, int>;
    sluice::shuffle_queue<pair> pairs{ctx, {.capacity = 10}};
    const std::vector<pair> rows{{1, 5}, {2, 6}, {3, 7}, {4, 8}, {9, 10}};
    fill(pairs, {rows.begin(), rows.begin() + 4});
    put(pairs, rows.back());

    auto got = get_each(pairs, 2);
    got = joined(got, get(pairs.dequeue_many(3)));

    BOOST_TEST(sorted(got) == rows);
}

BOOST_AUTO_TEST_CASE(each_element_leaves_once)
{
    for (const int value : tens(3))
        put(queue, value);

    BOOST_TEST(sorted(get_each(queue, 3)) == tens(3));
}

BOOST_AUTO_TEST_CASE(each_form_of_dequeue)
{
    fill(queue, tens(6));
    batch got{*get(queue.next()), *queue.try_dequeue()};
    got = joined(got, get(queue.dequeue_some(2)));
    got = joined(got, queue.try_dequeue_many(9));

    BOOST_TEST(sorted(got) == tens(6));
    BOOST_TEST(!queue.try_dequeue().has_value());
}

BOOST_AUTO_TEST_CASE(multi_enqueue_and_dequeue)
{
    using pair = std::pair<int, float>;
    sluice::shuffle_queue<pair> pairs{ctx, {.capacity = 10}};
    const std::vector<pair> rows{{5, 10.0F}, {10, 20.0F}, {15, 30.0F}};
    for (const pair& row : rows)
        put(pairs, row);

    BOOST_TEST(sorted(get_each(pairs, 3)) == rows);
}

BOOST_AUTO_TEST_CASE(queue_size_after_enqueue_and_dequeue)
{
    put(queue, 10);
    BOOST_TEST(queue.size() == 1U);

    BOOST_TEST(get(queue.dequeue()) == 10);

    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(capacity_1_keeps_the_order)
{
    shuffle single{ctx, {.capacity = 1}};
    const auto producer = start_enqueue_many(single, tens(3));

    BOOST_TEST(get_each(single, 3) == tens(3));

    BOOST_TEST(producer.result() == 3U);
}

// Batches.

BOOST_AUTO_TEST_CASE(enqueue_many_stores_all_rows)
{
    fill(queue, tens(4));
    fill(queue, tens(4));

    BOOST_TEST(sorted(get_each(queue, 8)) == (batch{10, 10, 20, 20, 30, 30, 40, 40}));
}

BOOST_AUTO_TEST_CASE(empty_dequeue_many)
{
    BOOST_TEST(get(queue.dequeue_many(0)).empty());

    put(queue, 10);

    BOOST_TEST(get(queue.dequeue_many(0)).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_dequeue_up_to)
{
    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());

    put(queue, 10);

    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(multi_enqueue_many)
{
    sluice::shuffle_queue<labelled_pair> pairs{ctx, {.capacity = 10}};
    const auto rows = labelled_pairs(4);
    fill(pairs, rows);
    fill(pairs, rows);

    BOOST_TEST((sorted(get_each(pairs, 8)) == sorted(joined(rows, rows))));
}

BOOST_AUTO_TEST_CASE(dequeue_many_gives_each_element_once)
{
    fill(queue, tens(10));

    const auto first = get(queue.dequeue_many(5));
    const auto second = get(queue.dequeue_many(5));

    BOOST_TEST(first.size() == 5U);
    BOOST_TEST(sorted(joined(first, second)) == tens(10));
}

BOOST_AUTO_TEST_CASE(multi_dequeue_many)
{
    sluice::shuffle_queue<labelled_pair> pairs{ctx, {.capacity = 10}};
    const auto rows = labelled_pairs(10);
    fill(pairs, rows);

    auto got = get(pairs.dequeue_many(4));
    BOOST_TEST(got.size() == 4U);
    got = joined(got, get(pairs.dequeue_many(4)));
    got = joined(got, get_each(pairs, 2));

    BOOST_TEST((sorted(got) == rows));
}

BOOST_AUTO_TEST_CASE(multi_dequeue_up_to_no_blocking)
{
    sluice::shuffle_queue<labelled_pair> pairs{ctx, {.capacity = 10}};
    const auto rows = labelled_pairs(10);
    fill(pairs, rows);

    auto got = get(pairs.dequeue_up_to(4));
    BOOST_TEST(got.size() == 4U);
    got = joined(got, get(pairs.dequeue_up_to(4)));
    got = joined(got, get_each(pairs, 2));

    BOOST_TEST((sorted(got) == rows));
}

BOOST_AUTO_TEST_CASE(high_dimension)
{
    using block = std::array<std::array<std::array<std::array<int, 4>, 4>, 4>, 4>;
    sluice::shuffle_queue<block> blocks{ctx, {.capacity = 10}};
    std::vector<block> rows(10);
    for (int index = 0; index < 10; ++index)
        for (auto& plane : rows[static_cast<std::size_t>(index)])
            for (auto& row : plane)
                for (auto& cells : row)
                    cells.fill(index);
    fill(blocks, rows);

    BOOST_TEST((sorted(get(blocks.dequeue_many(10))) == rows));
}

// Waiting.

BOOST_AUTO_TEST_CASE(blocking_dequeue_many)
{
    const auto waiting = start(queue.dequeue_many(4));
    waiting.check_pending();

    fill(queue, tens(4));

    BOOST_TEST(sorted(waiting.result()) == tens(4));
}

BOOST_AUTO_TEST_CASE(batch_above_the_capacity)
{
    shuffle small{ctx, {.capacity = 2}};
    const auto waiting = start(small.dequeue_many(5));

    fill(small, tens(6));

    BOOST_TEST(waiting.result().size() == 5U);
    BOOST_TEST(small.size() == 1U);
}

BOOST_AUTO_TEST_CASE(cancelled_dequeue_many_returns_its_elements)
{
    const auto waiting = start(queue.dequeue_many(4));
    fill(queue, tens(3));
    BOOST_TEST(queue.size() == 0U);

    waiting.cancel();
    run();

    waiting.check_error(boost::asio::error::operation_aborted);
    BOOST_TEST(sorted(get_each(queue, 3)) == tens(3));
}

BOOST_AUTO_TEST_CASE(assigned_and_cancelled_is_returned)
{
    const auto waiting = start(queue.dequeue());

    inside([&] {
        BOOST_TEST(queue.try_enqueue(10));
        waiting.cancel();
    });

    waiting.check_error(boost::asio::error::operation_aborted);
    BOOST_TEST(get(queue.dequeue()) == 10);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_to_full_queue)
{
    shuffle small{ctx, {.capacity = 4}};
    fill(small, tens(4));
    const auto producer = start_enqueue(small, 50);
    producer.check_pending();

    const auto got = get_each(small, 5);

    producer.result();
    BOOST_TEST(sorted(got) == tens(5));
    BOOST_TEST(got[0] != 50);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_many_to_full_queue)
{
    shuffle small{ctx, {.capacity = 4}};
    fill(small, tens(4));
    const auto producer = start_enqueue_many(small, {50, 60});

    const auto got = get_each(small, 6);

    BOOST_TEST(producer.result() == 2U);
    BOOST_TEST(sorted(got) == tens(6));
    BOOST_TEST(is_one_of(got[0], tens(4)));
    BOOST_TEST(got[1] != 60);
}

BOOST_AUTO_TEST_CASE(stop_ends_each_blocked_operation)
{
    test::stop_ends_blocked_operations<shuffle>();
}

// Closing.

BOOST_AUTO_TEST_CASE(blocking_dequeue_from_closed_empty_queue)
{
    const auto waiting = start(queue.dequeue());
    waiting.check_pending();

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many_from_closed_queue)
{
    fill(queue, tens(4));
    BOOST_TEST(sorted(get(queue.dequeue_many(4))) == tens(4));
    const auto second = start(queue.dequeue_many(4));
    second.check_pending();

    queue.close();
    run();

    second.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_up_to_from_closed_queue_returns_remainder)
{
    fill(queue, tens(4));
    const auto first = get(queue.dequeue_up_to(3));
    const auto second = start(queue.dequeue_up_to(3));
    second.check_pending();

    queue.close();
    run();

    const auto rest = second.result();
    BOOST_TEST(rest.size() == 1U);
    BOOST_TEST(sorted(joined(first, rest)) == tens(4));
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many_from_closed_queue_with_elements_remaining)
{
    fill(queue, tens(4));
    const auto first = get(queue.dequeue_many(3));
    const auto second = start(queue.dequeue_many(3));
    second.check_pending();

    queue.close();
    run();

    second.check_error(errc::end_of_queue);
    BOOST_TEST(queue.size() == 1U);
    const auto rest = get(queue.dequeue_many(queue.size()));
    BOOST_TEST(sorted(joined(first, rest)) == tens(4));
}

BOOST_AUTO_TEST_CASE(blocking_batches_from_closed_empty_queue)
{
    test::closing_ends_waiting_consumers<shuffle>({.capacity = 10, .min_after_dequeue = 5}
    );
}

BOOST_AUTO_TEST_CASE(enqueue_to_closed_queue)
{
    shuffle closed{ctx, {.capacity = 10, .min_after_dequeue = 4, .name = "mixed"}};
    put(closed, 10);
    closed.close();

    const auto late = start_enqueue(closed, 20);

    late.check_error(errc::queue_closed);
    BOOST_TEST(test::contains(test::what(late.error()), "enqueue on queue 'mixed'"));
    BOOST_TEST(!closed.try_enqueue(30));
    BOOST_TEST(get(closed.dequeue()) == 10);
}

BOOST_AUTO_TEST_CASE(enqueue_many_to_closed_queue)
{
    shuffle closed{ctx, {.capacity = 10, .min_after_dequeue = 5}};
    closed.close();

    start_enqueue_many(closed, tens(4)).check_error(errc::queue_closed);
    BOOST_TEST(start_enqueue_many(closed, {}).result() == 0U);
    BOOST_TEST(closed.size() == 0U);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_to_closed_queue)
{
    shuffle small{ctx, {.capacity = 4}};
    fill(small, tens(4));
    const auto producer = start_enqueue(small, 50);
    small.close();
    run();
    BOOST_TEST(small.is_closed());
    producer.check_pending();

    BOOST_TEST(is_one_of(get(small.dequeue()), tens(4)));

    producer.result();
    BOOST_TEST(small.size() == 4U);
    start_enqueue(small, 60).check_error(errc::queue_closed);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_many_to_closed_queue)
{
    shuffle small{ctx, {.capacity = 4}};
    fill(small, tens(3));
    const auto producer = start_enqueue_many(small, {50, 60});
    BOOST_TEST(small.size() == 4U);
    small.close();
    run();
    producer.check_pending();

    BOOST_TEST(is_one_of(get(small.dequeue()), {10, 20, 30, 50}));

    BOOST_TEST(producer.result() == 2U);
    start_enqueue_many(small, {70, 80}).check_error(errc::queue_closed);
}

BOOST_AUTO_TEST_CASE(cancelling_close_of_a_partial_enqueue_many)
{
    shuffle small{ctx, {.capacity = 4}};
    fill(small, tens(3));
    batch rows{40, 50, 60};
    const auto producer = start(small.enqueue_many(rows).as_tuple());

    small.close(close_mode::cancel_pending);
    run();

    const auto [code, count] = producer.result();
    BOOST_TEST(code == errc::queue_closed);
    BOOST_TEST(count == 1U);
    BOOST_TEST(sorted(get(small.dequeue_up_to(9))) == tens(4));
}

// Many threads.

BOOST_AUTO_TEST_CASE(enqueue_from_many_threads)
{
    test::parallel_enqueue<shuffle>();
}

BOOST_AUTO_TEST_CASE(dequeue_from_many_threads)
{
    test::parallel_dequeue<shuffle>();
}

BOOST_AUTO_TEST_CASE(enqueue_many_from_many_threads)
{
    test::parallel_enqueue_many<shuffle>();
}

BOOST_AUTO_TEST_CASE(dequeue_many_from_many_threads)
{
    test::parallel_dequeue_many<shuffle>();
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_from_many_threads)
{
    test::parallel_dequeue_up_to_open<shuffle>();
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_random_partition_from_many_threads)
{
    test::parallel_dequeue_up_to_random_partition<shuffle>(27);
}

BOOST_AUTO_TEST_SUITE_END()
