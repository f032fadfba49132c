// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The FIFO queue, operations that wait: the cases of TensorFlow's fifo_queue_test under their
// names. Changed: close() returns at once and is_closed() is true at once, and only enqueues
// that wait already are let in (D4). dequeue_some stands beside dequeue_up_to; it does not wait
// for a full batch.

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::range;
using test::tens;
using batch = std::vector<int>;

namespace fifo_waiting_cases {

using fifo = sluice::fifo_queue<int>;

}  // namespace fifo_waiting_cases

BOOST_FIXTURE_TEST_SUITE(fifo_waiting_cases, test::queue_fixture)

// Waiting for elements.

BOOST_AUTO_TEST_CASE(enqueue_and_blocking_dequeue)
{
    fifo queue{ctx, {.capacity = 3}};
    batch got;
    const auto consumer = spawn([&]() -> boost::asio::awaitable<void> {
        for (int i = 0; i < 3; ++i)
            got.push_back(co_await queue.dequeue());
    });
    run();
    consumer.check_pending();

    for (const int value : tens(3))
        put(queue, value);

    consumer.check_done();
    BOOST_TEST(got == tens(3));
}

BOOST_AUTO_TEST_CASE(big_dequeue_many)
{
    fifo queue{ctx, {.capacity = 2}};
    const auto batch_of_4 = start(queue.dequeue_many(4));

    for (int value = 0; value < 4; ++value) {
        batch_of_4.check_pending();
        put(queue, value);
        BOOST_TEST(queue.size() == 0U);
    }

    BOOST_TEST(batch_of_4.result() == range(0, 3));
}

BOOST_AUTO_TEST_CASE(big_dequeue_up_to)
{
    fifo queue{ctx, {.capacity = 2}};
    const auto batch_of_4 = start(queue.dequeue_up_to(4));

    for (int value = 0; value < 4; ++value) {
        batch_of_4.check_pending();
        put(queue, value);
        BOOST_TEST(queue.size() == 0U);
    }

    BOOST_TEST(batch_of_4.result() == range(0, 3));
}

BOOST_AUTO_TEST_CASE(big_dequeue_some_does_not_wait_for_more)
{
    fifo queue{ctx, {.capacity = 2}};
    const auto some = start(queue.dequeue_some(4));
    some.check_pending();

    put(queue, 0);

    BOOST_TEST(some.result() == batch{0});
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_many(4));
    waiting.check_pending();

    fill(queue, tens(4));

    BOOST_TEST(waiting.result() == tens(4));
    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_up_to)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_up_to(4));
    fill(queue, {10, 20, 30});
    waiting.check_pending();

    put(queue, 40);

    BOOST_TEST(waiting.result() == tens(4));
}

BOOST_AUTO_TEST_CASE(blocking_next)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.next());
    waiting.check_pending();

    fill(queue, tens(4));

    BOOST_TEST(waiting.result() == std::optional(10));
    BOOST_TEST(queue.size() == 3U);
}

// Waiting for room.

BOOST_AUTO_TEST_CASE(big_enqueue_many)
{
    fifo queue{ctx, {.capacity = 5}};
    const auto producer = start_enqueue_many(queue, range(1, 10));
    BOOST_TEST(queue.size() == 5U);

    for (int value = 1; value <= 4; ++value) {
        BOOST_TEST(get(queue.dequeue()) == value);
        BOOST_TEST(queue.size() == 5U);
        producer.check_pending();
    }
    BOOST_TEST(get(queue.dequeue()) == 5);
    BOOST_TEST(producer.result() == 10U);

    for (int value = 6; value <= 10; ++value) {
        BOOST_TEST(queue.size() == static_cast<std::size_t>(11 - value));
        BOOST_TEST(get(queue.dequeue()) == value);
    }
    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(big_enqueue_many_emptied_by_try_dequeue_many)
{
    fifo queue{ctx, {.capacity = 5}};
    const auto producer = start_enqueue_many(queue, range(1, 10));

    // cut off after one flush: what is stored, then what that let in
    BOOST_TEST(queue.try_dequeue_many(7) == range(1, 7));
    run();

    BOOST_TEST(producer.result() == 10U);
    BOOST_TEST(queue.try_dequeue_many(7) == range(8, 10));
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_to_full_queue)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(4));
    const auto producer = start_enqueue(queue, 50);
    producer.check_pending();

    BOOST_TEST(get_each(queue, 5) == tens(5));

    producer.result();
}

BOOST_AUTO_TEST_CASE(a_later_operation_does_not_pass_an_earlier_one)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(4));
    const auto first = start_enqueue(queue, 50);
    const auto second = start_enqueue(queue, 60);
    int late = 70;
    BOOST_TEST(!queue.try_enqueue(std::move(late)));

    BOOST_TEST(get(queue.dequeue()) == 10);
    first.result();
    second.check_pending();

    BOOST_TEST(get_each(queue, 5) == (batch{20, 30, 40, 50, 60}));
    second.result();
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_many_to_full_queue)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(4));
    const auto producer = start_enqueue_many(queue, {50, 60});
    producer.check_pending();

    BOOST_TEST(get(queue.dequeue()) == 10);
    producer.check_pending();
    BOOST_TEST(get_each(queue, 5) == (batch{20, 30, 40, 50, 60}));

    BOOST_TEST(producer.result() == 2U);
}

BOOST_AUTO_TEST_CASE(cancelling_close_of_a_partial_enqueue_many)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(3));
    batch rows{40, 50, 60};
    const auto producer = start(queue.enqueue_many(rows).as_tuple());
    producer.check_pending();

    queue.close(close_mode::cancel_pending);
    run();

    const auto [code, count] = producer.result();
    BOOST_TEST(code == errc::queue_closed);
    BOOST_TEST(count == 1U);
    BOOST_TEST(get(queue.dequeue_up_to(9)) == tens(4));
}

// Blocked operations and a stop.

BOOST_AUTO_TEST_CASE(stop_ends_each_blocked_operation)
{
    test::stop_ends_blocked_operations<fifo>();
}

BOOST_AUTO_TEST_CASE(cancel_ends_each_blocked_operation)
{
    fifo empty{ctx, {.capacity = 5}};
    fifo full{ctx, {.capacity = 5}};
    fill(full, tens(5));
    const auto one = start(empty.dequeue());
    const auto next = start(empty.next());
    const auto many = start(empty.dequeue_many(1));
    const auto up_to = start(empty.dequeue_up_to(1));
    const auto some = start(empty.dequeue_some(1));
    const auto enqueue = start_enqueue(full, 60);
    const auto enqueue_many = start_enqueue_many(full, {70, 80});

    one.cancel();
    next.cancel(boost::asio::cancellation_type::terminal);
    many.cancel();
    up_to.cancel();
    some.cancel();
    enqueue.cancel();
    enqueue_many.cancel();
    run();

    one.check_error(boost::asio::error::operation_aborted);
    next.check_error(boost::asio::error::operation_aborted);
    many.check_error(boost::asio::error::operation_aborted);
    up_to.check_error(boost::asio::error::operation_aborted);
    some.check_error(boost::asio::error::operation_aborted);
    enqueue.check_error(boost::asio::error::operation_aborted);
    enqueue_many.check_error(boost::asio::error::operation_aborted);
    put(empty, 90);
    BOOST_TEST(get(empty.dequeue()) == 90);
    BOOST_TEST(get_each(full, 5) == tens(5));
    BOOST_TEST(full.size() == 0U);
}

// Waiting consumers and a close.

BOOST_AUTO_TEST_CASE(blocking_dequeue_from_closed_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    BOOST_TEST(get_each(queue, 4) == tens(4));
    const auto fifth = start(queue.dequeue());
    fifth.check_pending();

    queue.close();
    run();

    fifth.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_from_closed_empty_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue());
    waiting.check_pending();

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(each_blocking_dequeue_from_closed_empty_queue)
{
    test::closing_ends_waiting_consumers<fifo>({.capacity = 10});
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many_but_not_all_from_closed_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    BOOST_TEST(get(queue.dequeue_many(3)) == tens(3));
    const auto second = start(queue.dequeue_many(3));
    second.check_pending();
    BOOST_TEST(queue.size() == 0U);

    queue.close();
    run();

    second.check_error(errc::end_of_queue);
    BOOST_TEST(get(queue.dequeue()) == 40);
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_from_closed_queue_returns_remainder)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    BOOST_TEST(get(queue.dequeue_up_to(3)) == tens(3));
    const auto second = start(queue.dequeue_up_to(3));
    second.check_pending();

    queue.close();
    run();

    BOOST_TEST(second.result() == batch{40});
    start(queue.dequeue_up_to(3)).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(dequeue_some_returns_remainder)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    queue.close();

    BOOST_TEST(get(queue.dequeue_some(3)) == tens(3));
    BOOST_TEST(get(queue.dequeue_some(3)) == batch{40});
    start(queue.dequeue_some(3)).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_dequeue_many_from_closed_empty_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_many(4));
    waiting.check_pending();

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
}

// Producers and a close.

BOOST_AUTO_TEST_CASE(enqueue_to_closed_queue)
{
    fifo queue{ctx, {.capacity = 10, .name = "lines"}};
    put(queue, 10);
    queue.close();

    const auto late = start_enqueue(queue, 20);

    late.check_error(errc::queue_closed);
    BOOST_TEST(test::contains(test::what(late.error()), "enqueue on queue 'lines'"));
    BOOST_TEST(test::contains(test::what(late.error()), "is closed"));
    int element = 30;
    BOOST_TEST(!queue.try_enqueue(std::move(element)));
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(enqueue_many_to_closed_queue)
{
    fifo queue{ctx, {.capacity = 10, .name = "lines"}};
    put(queue, 10);
    queue.close();

    const auto late = start_enqueue_many(queue, tens(4));

    late.check_error(errc::queue_closed);
    BOOST_TEST(
        test::contains(test::what(late.error()), "enqueue_many(4) on queue 'lines'")
    );
    BOOST_TEST(test::contains(test::what(late.error()), "0 of 4 went in"));
    batch rows = tens(4);
    BOOST_TEST(queue.try_enqueue_many(rows) == 0U);
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_enqueue_many_to_closed_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    queue.close();

    BOOST_TEST(start_enqueue_many(queue, {}).result() == 0U);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_before_close)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(4));
    const auto producer = start_enqueue(queue, 50);

    queue.close();
    run();
    BOOST_TEST(queue.is_closed());
    producer.check_pending();

    BOOST_TEST(get(queue.dequeue()) == 10);
    producer.result();
    BOOST_TEST(get_each(queue, 4) == (batch{20, 30, 40, 50}));
    BOOST_TEST(queue.size() == 0U);
    start(queue.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(blocking_enqueue_many_before_close)
{
    fifo queue{ctx, {.capacity = 4}};
    fill(queue, tens(3));
    const auto producer = start_enqueue_many(queue, {50, 60});
    BOOST_TEST(queue.size() == 4U);

    queue.close();
    run();
    BOOST_TEST(queue.is_closed());
    producer.check_pending();

    BOOST_TEST(get(queue.dequeue()) == 10);
    BOOST_TEST(producer.result() == 2U);
    BOOST_TEST(get_each(queue, 4) == (batch{20, 30, 50, 60}));
    start(queue.dequeue()).check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_SUITE_END()
