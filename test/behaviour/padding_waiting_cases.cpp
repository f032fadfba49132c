// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The padding queue: order, waiting, closing and threads, as the FIFO queue, with rows.

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/padding_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::numbers;
using test::range;
using test::tens;
using int_row = std::vector<int>;
using int_rows = std::vector<int_row>;

namespace padding_waiting_cases {

using padding = sluice::padding_queue<int_row>;

struct padding_fixture : test::queue_fixture
{
    padding queue{ctx, {.capacity = 10}};
    padding small{ctx, {.capacity = 4}};
};

int_rows row_tens(int count)
{
    return test::elements<int_row>(tens(count));
}

}  // namespace padding_waiting_cases

BOOST_FIXTURE_TEST_SUITE(padding_waiting_cases, padding_fixture)

// One row at a time.

BOOST_AUTO_TEST_CASE(elements_leave_in_order)
{
    for (const int_row& value : row_tens(3))
        put(queue, value);

    BOOST_TEST(get_each(queue, 3) == row_tens(3));
}

BOOST_AUTO_TEST_CASE(queue_size_empty)
{
    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(queue_size_after_enqueue_and_dequeue)
{
    put(queue, {10});
    BOOST_TEST(queue.size() == 1U);

    BOOST_TEST(get(queue.dequeue()) == int_row{10});

    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(empty_enqueue_many)
{
    BOOST_TEST(start_enqueue_many(queue, {}).result() == 0U);

    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(dequeue_many_with_a_count_from_a_queue)
{
    test::batches_of_sizes_from_a_queue<padding>(39);
}

// Waiting.

BOOST_AUTO_TEST_CASE(enqueue_and_blocking_dequeue)
{
    const auto first = start(queue.dequeue());
    const auto second = start(queue.next());
    first.check_pending();

    put(queue, {10});
    second.check_pending();
    put(queue, {20, 20});

    BOOST_TEST(first.result() == int_row{10});
    BOOST_TEST(second.result() == std::optional(int_row{20, 20}));
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many)
{
    const auto waiting = start(queue.dequeue_many(4));
    waiting.check_pending();

    fill(queue, row_tens(4));

    BOOST_TEST(numbers(waiting.result()) == tens(4));
}

BOOST_AUTO_TEST_CASE(big_dequeue_many)
{
    padding tiny{ctx, {.capacity = 2}};
    const auto batch_of_4 = start(tiny.dequeue_many(4));

    for (int value = 0; value < 4; ++value) {
        batch_of_4.check_pending();
        put(tiny, int_row(static_cast<std::size_t>(value), value));
    }

    const auto batch = batch_of_4.result();
    BOOST_TEST(batch == (int_rows{{0, 0, 0}, {1, 0, 0}, {2, 2, 0}, {3, 3, 3}}));
    BOOST_TEST(batch.lengths() == (std::vector<std::size_t>{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_to_full_queue)
{
    fill(small, row_tens(4));
    const auto producer = start_enqueue(small, int_row{50});
    producer.check_pending();

    BOOST_TEST(get_each(small, 5) == row_tens(5));

    producer.result();
}

BOOST_AUTO_TEST_CASE(each_blocked_operation_ends_with_a_stop)
{
    test::stop_ends_blocked_operations<padding>();
}

BOOST_AUTO_TEST_CASE(rendezvous_pads_a_batch)
{
    padding rendezvous{ctx, {.capacity = 0}};
    const auto producer = start_enqueue_many(rendezvous, {{1}, {2, 2}, {3}});

    const auto batch = get(rendezvous.dequeue_many(2));

    BOOST_TEST(batch == (int_rows{{1, 0}, {2, 2}}));
    producer.check_pending();
    BOOST_TEST(get(rendezvous.dequeue()) == int_row{3});
    BOOST_TEST(producer.result() == 3U);
}

// Closing.

BOOST_AUTO_TEST_CASE(dequeue_from_closed_queue)
{
    fill(queue, row_tens(4));
    queue.close();

    BOOST_TEST(get_each(queue, 4) == row_tens(4));
    start(queue.dequeue()).check_error(errc::end_of_queue);
    BOOST_TEST(!get(queue.next()).has_value());
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_from_closed_empty_queue)
{
    test::closing_ends_waiting_consumers<padding>({.capacity = 10});
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_pads_the_remainder)
{
    const auto waiting = start(queue.dequeue_up_to(4));
    fill(queue, {{1}, {2, 2, 2}});

    queue.close();
    run();

    const auto batch = waiting.result();
    BOOST_TEST(batch == (int_rows{{1, 0, 0}, {2, 2, 2}}));
    BOOST_TEST(batch.lengths() == (std::vector<std::size_t>{1, 3}));
}

BOOST_AUTO_TEST_CASE(enqueue_to_closed_queue)
{
    put(queue, {10});
    queue.close();
    int_row kept{20};

    start(queue.enqueue(std::move(kept))).check_error(errc::queue_closed);
    BOOST_TEST(!queue.try_enqueue(std::move(kept)));

    BOOST_TEST(kept == int_row{20});
}

BOOST_AUTO_TEST_CASE(enqueue_many_to_closed_queue)
{
    queue.close();

    start_enqueue_many(queue, row_tens(4)).check_error(errc::queue_closed);
    BOOST_TEST(start_enqueue_many(queue, {}).result() == 0U);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_before_close)
{
    fill(small, row_tens(4));
    const auto producer = start_enqueue(small, int_row{50});
    small.close();
    BOOST_TEST(small.is_closed());
    run();
    producer.check_pending();

    BOOST_TEST(get_each(small, 5) == row_tens(5));

    producer.result();
    start(small.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_many_before_close)
{
    fill(small, row_tens(3));
    const auto producer = start_enqueue_many(small, {{50}, {60, 60}});
    small.close();
    run();
    producer.check_pending();

    BOOST_TEST(get(small.dequeue()) == int_row{10});

    BOOST_TEST(producer.result() == 2U);
    BOOST_TEST(get_each(small, 4) == (int_rows{{20}, {30}, {50}, {60, 60}}));
}

BOOST_AUTO_TEST_CASE(cancelling_close_of_a_partial_enqueue_many)
{
    fill(small, row_tens(3));
    int_rows more{{50}, {60, 60}};
    const auto producer = start(small.enqueue_many(more).as_tuple());

    small.close(close_mode::cancel_pending);
    run();

    const auto [code, count] = producer.result();
    BOOST_TEST(code == errc::queue_closed);
    BOOST_TEST(count == 1U);
    BOOST_TEST(more[1] == (int_row{60, 60}));
    BOOST_TEST(numbers(get(small.dequeue_up_to(9))) == (int_row{10, 20, 30, 50}));
}

// Many threads.

BOOST_AUTO_TEST_CASE(enqueue_from_many_threads)
{
    test::parallel_enqueue<padding>();
}

BOOST_AUTO_TEST_CASE(dequeue_from_many_threads)
{
    test::parallel_dequeue<padding>();
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_on_threads)
{
    test::blocking_dequeue_across_threads<padding>();
}

BOOST_AUTO_TEST_CASE(enqueue_many_from_many_threads)
{
    test::parallel_enqueue_many<padding>();
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_from_many_threads)
{
    test::parallel_dequeue_up_to_closed<padding>();
}

BOOST_AUTO_TEST_SUITE_END()
