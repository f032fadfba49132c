// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P5 T1 T2 T3 T4 T5 T6

// What every kind of queue keeps, T1 to T6 among it: one case for all four. The elements are
// compared as a multiset where the order is that of a kind. Those orders are in fifo_cases.cpp,
// shuffle_cases.cpp, priority_cases.cpp and padding_cases.cpp.

#include "behaviour/queue_cases.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/queue_end.hpp>

#include <boost/test/unit_test.hpp>

#include <tuple>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using test::joined;
using test::number;
using test::numbers;
using test::range;
using test::sorted;
using test::tens;

namespace queue_kinds {

using fifo = sluice::fifo_queue<int>;
using shuffle = sluice::shuffle_queue<int>;
using priority = sluice::priority_queue<int>;
using padding = sluice::padding_queue<std::vector<int>>;

using kinds = std::tuple<fifo, shuffle, priority, padding>;
// A batch of a priority queue waits until it is stored as a whole (T9).
using kinds_that_hold = std::tuple<fifo, shuffle, padding>;
using kinds_that_do_not_meet = std::tuple<shuffle, priority>;

template <class Queue>
auto one(int value)
{
    return test::element<typename Queue::value_type>(value);
}

template <class Queue>
auto all(const std::vector<int>& values)
{
    return test::elements<typename Queue::value_type>(values);
}

}  // namespace queue_kinds

BOOST_FIXTURE_TEST_SUITE(queue_kinds, test::queue_fixture)

// Operations that need not wait.

BOOST_AUTO_TEST_CASE_TEMPLATE(each_element_leaves_once_by_any_form, Queue, kinds)
{
    Queue queue{ctx, {.capacity = 10}};
    BOOST_TEST(queue.size() == 0U);
    fill(queue, all<Queue>(tens(7)));
    put(queue, one<Queue>(80));
    BOOST_TEST(queue.try_enqueue(one<Queue>(90)));
    BOOST_TEST(queue.size() == 9U);

    std::vector<int> got{
        number(get(queue.dequeue())),
        number(*get(queue.next())),
        number(*queue.try_dequeue()),
    };
    got = joined(got, numbers(get(queue.dequeue_many(2))));
    got = joined(got, numbers(get(queue.dequeue_up_to(2))));
    got = joined(got, numbers(get(queue.dequeue_some(1))));
    BOOST_TEST(queue.size() == 1U);
    got = joined(got, numbers(queue.try_dequeue_many(9)));

    BOOST_TEST(sorted(got) == tens(9));
    BOOST_TEST(!queue.try_dequeue().has_value());
    BOOST_TEST(queue.try_dequeue_many(9).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(t5_batches_of_zero_succeed_at_once, Queue, kinds)
{
    Queue queue{ctx, {.capacity = 10}};
    put(queue, one<Queue>(10));
    for (int i = 0; i < 2; ++i) {
        BOOST_TEST(get(queue.dequeue_many(0)).empty());
        BOOST_TEST(get(queue.dequeue_up_to(0)).empty());
        BOOST_TEST(get(queue.dequeue_some(0)).empty());
        BOOST_TEST(queue.try_dequeue_many(0).empty());
        BOOST_TEST(start_enqueue_many(queue, {}).result() == 0U);
        const auto posted = queue.async_dequeue_many(0, test::record);
        run();
        posted.check_success();
        BOOST_TEST(queue.size() == 1U);
        queue.close();
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unbounded_queue_is_never_full, Queue, kinds)
{
    Queue queue{ctx, {.capacity = sluice::unbounded}};
    BOOST_TEST(queue.capacity() == sluice::unbounded);
    fill(queue, all<Queue>(range(1, 5'000)));

    BOOST_TEST((sorted(numbers(get(queue.dequeue_many(5'000)))) == range(1, 5'000)));
}

// Waiting.

BOOST_AUTO_TEST_CASE_TEMPLATE(
    t1_consumers_are_served_in_the_order_of_their_wait_list,
    Queue,
    kinds
)
{
    Queue queue{ctx, {.capacity = 10}};
    const auto first = start(queue.dequeue());
    const auto second = start(queue.next());
    const auto many = start(queue.dequeue_many(2));
    const auto up_to = start(queue.dequeue_up_to(2));
    const auto some = start(queue.dequeue_some(2));
    first.check_pending();

    for (int i = 1; i <= 7; ++i) {
        BOOST_TEST(!queue.try_dequeue().has_value());
        put(queue, one<Queue>(10 * i));
        BOOST_TEST(first.done());
        BOOST_TEST(second.done() == (i >= 2));
        BOOST_TEST(many.done() == (i >= 4));
        BOOST_TEST(up_to.done() == (i >= 6));
        BOOST_TEST(some.done() == (i >= 7));
    }

    BOOST_TEST(number(first.result()) == 10);
    BOOST_TEST(number(*second.result()) == 20);
    BOOST_TEST(sorted(numbers(many.result())) == (std::vector{30, 40}));
    BOOST_TEST(sorted(numbers(up_to.result())) == (std::vector{50, 60}));
    BOOST_TEST(numbers(some.result()) == std::vector{70});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    t1_producers_are_let_in_in_the_order_of_their_wait_list,
    Queue,
    kinds
)
{
    Queue queue{ctx, {.capacity = 1}};
    put(queue, one<Queue>(10));
    const auto first = start_enqueue(queue, one<Queue>(20));
    const auto second = start_enqueue_many(queue, all<Queue>({30, 40}));
    BOOST_TEST(!queue.try_enqueue(one<Queue>(50)));

    BOOST_TEST(number(get(queue.dequeue())) == 10);
    first.result();
    BOOST_TEST(number(get(queue.dequeue())) == 20);
    second.check_pending();
    BOOST_TEST(number(get(queue.dequeue())) == 30);
    BOOST_TEST(second.result() == 2U);
    BOOST_TEST(number(get(queue.dequeue())) == 40);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(t2_rows_above_the_capacity_wait_for_room, Queue, kinds)
{
    Queue queue{ctx, {.capacity = 5}};
    const auto producer = start_enqueue_many(queue, all<Queue>(tens(10)));
    std::vector<int> got;
    for (int i = 0; i < 4; ++i) {
        got.push_back(number(get(queue.dequeue())));
        BOOST_TEST(queue.size() == 5U);
        producer.check_pending();
    }

    got = joined(got, numbers(get_each(queue, 6)));

    BOOST_TEST(producer.result() == 10U);
    BOOST_TEST(sorted(got) == tens(10));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    t3_batch_above_the_capacity_holds_what_comes,
    Queue,
    kinds_that_hold
)
{
    Queue queue{ctx, {.capacity = 2}};
    const auto many = start(queue.dequeue_many(4));
    const auto up_to = start(queue.dequeue_up_to(4));
    fill(queue, all<Queue>(tens(7)));

    BOOST_TEST(sorted(numbers(many.result())) == tens(4));
    up_to.check_pending();
    BOOST_TEST(queue.size() == 0U);
    fill(queue, all<Queue>({80, 90}));
    const auto second = numbers(up_to.result());
    BOOST_TEST(second.size() == 4U);
    BOOST_TEST(
        sorted(joined(second, {number(get(queue.dequeue()))})) ==
        (std::vector{50, 60, 70, 80, 90})
    );
}

BOOST_AUTO_TEST_CASE_TEMPLATE(p5_t1_no_consumer_passes_a_batch_that_waits, Queue, kinds)
{
    Queue queue{ctx, {.capacity = 10}};
    const auto batch = start(queue.dequeue_many(3));
    const auto behind = start(queue.dequeue());
    fill(queue, all<Queue>(tens(2)));
    BOOST_TEST(!queue.try_dequeue().has_value());
    BOOST_TEST(queue.try_dequeue_many(2).empty());
    behind.check_pending();

    put(queue, one<Queue>(30));
    BOOST_TEST(sorted(numbers(batch.result())) == tens(3));
    behind.check_pending();
    put(queue, one<Queue>(40));
    BOOST_TEST(number(behind.result()) == 40);
}

// A close.

BOOST_AUTO_TEST_CASE_TEMPLATE(t6_what_is_stored_survives_every_close, Queue, kinds)
{
    for (const auto mode : {close_mode::drain, close_mode::cancel_pending}) {
        Queue queue{ctx, {.capacity = 10, .name = "lines"}};
        fill(queue, all<Queue>(tens(6)));
        queue.close(mode);

        const auto late = start_enqueue(queue, one<Queue>(70));
        late.check_error(errc::queue_closed);
        BOOST_TEST(test::contains(test::what(late.error()), "enqueue on queue 'lines'"));
        start_enqueue_many(queue, all<Queue>({70, 80})).check_error(errc::queue_closed);
        BOOST_TEST(!queue.try_enqueue(one<Queue>(70)));

        std::vector<int> got{number(*get(queue.next())), number(*queue.try_dequeue())};
        got = joined(got, numbers(get(queue.dequeue_some(2))));
        got = joined(got, numbers(queue.try_dequeue_many(9)));
        BOOST_TEST(sorted(got) == tens(6));
        BOOST_TEST(!get(queue.next()).has_value());
        start(queue.dequeue()).check_error(errc::end_of_queue);
        start(queue.dequeue_some(2)).check_error(errc::end_of_queue);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    t3_dequeue_many_that_a_close_cuts_short_leaves_all,
    Queue,
    kinds
)
{
    Queue queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_many(4));
    fill(queue, all<Queue>(tens(3)));
    waiting.check_pending();

    queue.close();
    run();

    waiting.check_error(errc::end_of_queue);
    start(queue.dequeue_many(4)).check_error(errc::end_of_queue);
    BOOST_TEST(sorted(numbers(get(queue.dequeue_many(3)))) == tens(3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(t4_dequeue_up_to_gives_the_rest_once_closed, Queue, kinds)
{
    Queue queue{ctx, {.capacity = 10}};
    const auto waiting = start(queue.dequeue_up_to(4));
    const auto behind = start(queue.dequeue_up_to(4));
    fill(queue, all<Queue>(tens(3)));
    waiting.check_pending();

    queue.close();
    run();

    BOOST_TEST(sorted(numbers(waiting.result())) == tens(3));
    behind.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    t2_rows_that_are_in_at_a_cancelling_close_stay,
    Queue,
    kinds
)
{
    Queue queue{ctx, {.capacity = 4}};
    fill(queue, all<Queue>(tens(3)));
    auto rows = all<Queue>({40, 50, 60});
    const auto many = start(queue.enqueue_many(rows).as_tuple());
    const auto single = start_enqueue(queue, one<Queue>(70));

    queue.close(close_mode::cancel_pending);
    run();

    const auto [code, count] = many.result();
    BOOST_TEST(code == errc::queue_closed);
    BOOST_TEST(count == 1U);
    BOOST_TEST(number(rows[1]) == 50);
    single.check_error(errc::queue_closed);
    BOOST_TEST(sorted(numbers(get(queue.dequeue_up_to(4)))) == tens(4));
}

// Capacity 0.

BOOST_AUTO_TEST_CASE_TEMPLATE(
    capacity_0_is_refused_where_elements_cannot_meet,
    Queue,
    kinds_that_do_not_meet
)
{
    BOOST_CHECK_EXCEPTION(
        Queue(ctx, {.capacity = 0, .name = "none"}),
        sluice::system_error,
        [](const sluice::system_error& error) {
            return error.code() == errc::invalid_argument &&
                   test::contains(error.what(), "'none'");
        }
    );
}

BOOST_AUTO_TEST_SUITE_END()
