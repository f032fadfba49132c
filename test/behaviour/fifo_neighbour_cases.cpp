// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The cases of the FIFO queue at capacity 1, as a rendezvous (capacity 0), without a bound, and
// with the try forms.

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::range;
using test::tens;
using batch = std::vector<int>;

namespace fifo_neighbour_cases {

using fifo = sluice::fifo_queue<int>;

struct neighbour_fixture : test::queue_fixture
{
    fifo single{ctx, {.capacity = 1}};
    fifo rendezvous{ctx, {.capacity = 0}};
    fifo endless{ctx, {.capacity = sluice::unbounded}};
};

}  // namespace fifo_neighbour_cases

BOOST_FIXTURE_TEST_SUITE(fifo_neighbour_cases, neighbour_fixture)

// Capacity 1.

BOOST_AUTO_TEST_CASE(dequeue_at_capacity_1)
{
    put(single, 10);
    const auto second = start_enqueue(single, 20);
    const auto third = start_enqueue(single, 30);
    BOOST_TEST(single.size() == 1U);

    BOOST_TEST(get_each(single, 3) == tens(3));

    second.result();
    third.result();
}

BOOST_AUTO_TEST_CASE(big_dequeue_many_at_capacity_1)
{
    const auto batch_of_4 = start(single.dequeue_many(4));
    fill(single, {0, 1, 2});
    batch_of_4.check_pending();

    // one more than the consumer needs, which stays
    fill(single, {3, 4});

    BOOST_TEST(batch_of_4.result() == range(0, 3));
    BOOST_TEST(single.size() == 1U);
}

BOOST_AUTO_TEST_CASE(big_enqueue_many_at_capacity_1)
{
    const auto producer = start_enqueue_many(single, range(1, 3));

    BOOST_TEST(get(single.dequeue()) == 1);
    BOOST_TEST(single.size() == 1U);
    producer.check_pending();
    BOOST_TEST(get(single.dequeue()) == 2);
    BOOST_TEST(producer.result() == 3U);
    BOOST_TEST(get(single.dequeue()) == 3);
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_remainder_at_capacity_1)
{
    const auto waiting = start(single.dequeue_up_to(9));
    fill(single, tens(4));
    waiting.check_pending();

    single.close();
    run();

    BOOST_TEST(waiting.result() == tens(4));
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_before_close_at_capacity_1)
{
    put(single, 10);
    const auto producer = start_enqueue(single, 20);
    const auto many = start_enqueue_many(single, {30, 40});
    single.close();

    BOOST_TEST(get_each(single, 4) == tens(4));

    producer.result();
    BOOST_TEST(many.result() == 2U);
    start(single.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(cancelling_close_at_capacity_1)
{
    put(single, 10);
    const auto producer = start_enqueue(single, 20);
    const auto many = start_enqueue_many(single, {30, 40});

    single.close(close_mode::cancel_pending);
    run();

    producer.check_error(errc::queue_closed);
    many.check_error(errc::queue_closed);
    BOOST_TEST(get(single.dequeue()) == 10);
    start(single.dequeue()).check_error(errc::end_of_queue);
}

// A rendezvous.

BOOST_AUTO_TEST_CASE(enqueue_rendezvous_waits_for_a_consumer)
{
    const auto producer = start_enqueue(rendezvous, 10);
    producer.check_pending();
    BOOST_TEST(rendezvous.size() == 0U);
    BOOST_TEST(rendezvous.capacity() == 0U);

    BOOST_TEST(get(rendezvous.dequeue()) == 10);

    producer.result();
}

BOOST_AUTO_TEST_CASE(dequeue_rendezvous_keeps_the_order)
{
    const auto first = start_enqueue(rendezvous, 10);
    const auto rest = start_enqueue_many(rendezvous, {20, 30});

    BOOST_TEST(get(rendezvous.next()) == std::optional(10));
    first.result();
    BOOST_TEST(get(rendezvous.dequeue()) == 20);
    rest.check_pending();
    BOOST_TEST(get(rendezvous.dequeue()) == 30);
    BOOST_TEST(rest.result() == 2U);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_rendezvous)
{
    const auto first = start(rendezvous.dequeue());
    const auto second = start(rendezvous.dequeue());

    put(rendezvous, 10);
    BOOST_TEST(first.result() == 10);
    second.check_pending();

    put(rendezvous, 20);
    BOOST_TEST(second.result() == 20);
}

BOOST_AUTO_TEST_CASE(big_dequeue_many_rendezvous)
{
    const auto batch_of_4 = start(rendezvous.dequeue_many(4));

    for (int value = 0; value < 4; ++value) {
        batch_of_4.check_pending();
        put(rendezvous, value);
        BOOST_TEST(rendezvous.size() == 0U);
    }

    BOOST_TEST(batch_of_4.result() == range(0, 3));
}

BOOST_AUTO_TEST_CASE(big_enqueue_many_rendezvous)
{
    const auto producer = start_enqueue_many(rendezvous, range(1, 5));
    for (int value = 1; value <= 5; ++value) {
        producer.check_pending();
        BOOST_TEST(get(rendezvous.dequeue()) == value);
    }

    BOOST_TEST(producer.result() == 5U);
}

BOOST_AUTO_TEST_CASE(stop_rendezvous)
{
    const auto producer = start_enqueue(rendezvous, 10);
    producer.cancel();
    run();
    producer.check_error(boost::asio::error::operation_aborted);

    const auto consumer = start(rendezvous.dequeue());
    consumer.check_pending();  // the cancelled element is not there
    put(rendezvous, 20);
    BOOST_TEST(consumer.result() == 20);
}

BOOST_AUTO_TEST_CASE(closing_a_rendezvous_ends_waiting_consumers)
{
    test::closing_ends_waiting_consumers<fifo>({.capacity = 0});
}

BOOST_AUTO_TEST_CASE(dequeue_many_of_closed_rendezvous_gives_back)
{
    const auto waiting = start(rendezvous.dequeue_many(3));
    fill(rendezvous, tens(2));
    waiting.check_pending();

    rendezvous.close();
    run();

    waiting.check_error(errc::end_of_queue);
    BOOST_TEST(rendezvous.size() == 2U);
    BOOST_TEST(get_each(rendezvous, 2) == tens(2));
    start(rendezvous.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_of_closed_rendezvous_returns_remainder)
{
    const auto waiting = start(rendezvous.dequeue_up_to(3));
    fill(rendezvous, tens(2));
    waiting.check_pending();

    rendezvous.close();
    run();

    BOOST_TEST(waiting.result() == tens(2));
    BOOST_TEST(rendezvous.size() == 0U);
}

BOOST_AUTO_TEST_CASE(enqueue_to_closed_rendezvous)
{
    rendezvous.close();

    start_enqueue(rendezvous, 10).check_error(errc::queue_closed);
    start_enqueue_many(rendezvous, {10, 20}).check_error(errc::queue_closed);
    BOOST_TEST(start_enqueue_many(rendezvous, {}).result() == 0U);
    BOOST_TEST(get(rendezvous.dequeue_many(0)).empty());
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_before_close_rendezvous)
{
    const auto producer = start_enqueue(rendezvous, 10);
    const auto many = start_enqueue_many(rendezvous, {20, 30});
    rendezvous.close();
    run();
    producer.check_pending();
    many.check_pending();

    BOOST_TEST(get(rendezvous.dequeue_many(2)) == tens(2));
    producer.result();
    many.check_pending();
    BOOST_TEST(get(rendezvous.dequeue_up_to(2)) == batch{30});
    BOOST_TEST(many.result() == 2U);
    start(rendezvous.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(cancelling_close_of_a_partial_enqueue_many_rendezvous)
{
    batch rows = tens(3);
    const auto producer = start(rendezvous.enqueue_many(rows).as_tuple());
    BOOST_TEST(get(rendezvous.dequeue()) == 10);

    rendezvous.close(close_mode::cancel_pending);
    run();

    const auto [code, count] = producer.result();
    BOOST_TEST(code == errc::queue_closed);
    BOOST_TEST(count == 1U);
    start(rendezvous.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many_rendezvous)
{
    const auto waiting = start(rendezvous.dequeue_many(4));
    fill(rendezvous, tens(4));

    BOOST_TEST(waiting.result() == tens(4));
}

BOOST_AUTO_TEST_CASE(dequeue_some_rendezvous_takes_one_row_that_comes)
{
    const auto waiting = start(rendezvous.dequeue_some(4));
    const auto producer = start_enqueue(rendezvous, 10);

    BOOST_TEST(waiting.result() == batch{10});
    producer.result();
}

// Without a bound.

BOOST_AUTO_TEST_CASE(enqueue_many_unbounded)
{
    BOOST_TEST(endless.capacity() == sluice::unbounded);
    fill(endless, range(1, 10'000));

    BOOST_TEST(endless.size() == 10'000U);
    BOOST_TEST((get(endless.dequeue_many(10'000)) == range(1, 10'000)));
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_everything_unbounded)
{
    const auto waiting = start(endless.dequeue_up_to(sluice::unbounded));
    fill(endless, tens(4));
    waiting.check_pending();

    endless.close();
    run();

    BOOST_TEST(waiting.result() == tens(4));
}

// The try_ forms.

BOOST_AUTO_TEST_CASE(try_enqueue_of_a_full_queue_leaves_the_element)
{
    sluice::fifo_queue<std::vector<int>> queue{ctx, {.capacity = 1}};
    batch first{1};
    batch second{2};

    BOOST_TEST(queue.try_enqueue(std::move(first)));
    BOOST_TEST(first.empty());
    BOOST_TEST(!queue.try_enqueue(std::move(second)));
    BOOST_TEST(second == batch{2});

    BOOST_TEST(queue.try_dequeue() == std::optional(batch{1}));
    BOOST_TEST(queue.try_dequeue() == std::optional<batch>());
}

BOOST_AUTO_TEST_CASE(try_enqueue_many_says_how_many_went_in)
{
    fifo queue{ctx, {.capacity = 5}};
    batch rows = range(1, 4);

    BOOST_TEST(queue.try_enqueue_many(rows) == 4U);
    BOOST_TEST(queue.try_enqueue_many(rows) == 1U);
    BOOST_TEST(queue.try_enqueue_many(rows) == 0U);

    BOOST_TEST(queue.try_dequeue_many(9) == (batch{1, 2, 3, 4, 1}));
}

BOOST_AUTO_TEST_CASE(try_enqueue_many_feeds_a_waiting_batch)
{
    const auto waiting = start(single.dequeue_many(4));
    batch rows = range(0, 5);

    BOOST_TEST(single.try_enqueue_many(rows) == 5U);
    run();

    BOOST_TEST(waiting.result() == range(0, 3));
    BOOST_TEST(single.try_dequeue() == std::optional(4));
}

BOOST_AUTO_TEST_CASE(try_forms_rendezvous)
{
    int element = 10;
    BOOST_TEST(!rendezvous.try_enqueue(std::move(element)));
    BOOST_TEST(rendezvous.try_dequeue() == std::optional<int>());

    const auto consumer = start(rendezvous.dequeue());
    BOOST_TEST(rendezvous.try_enqueue(std::move(element)));
    run();
    BOOST_TEST(consumer.result() == 10);

    const auto producer = start_enqueue(rendezvous, 20);
    BOOST_TEST(rendezvous.try_dequeue() == std::optional(20));
    run();
    producer.result();
}

BOOST_AUTO_TEST_CASE(try_dequeue_does_not_pass_a_waiting_batch)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_many(3));
    fill(queue, tens(2));

    BOOST_TEST(queue.try_dequeue() == std::optional<int>());
    BOOST_TEST(queue.try_dequeue_many(2).empty());

    put(queue, 30);
    BOOST_TEST(waiting.result() == tens(3));
}

BOOST_AUTO_TEST_SUITE_END()
