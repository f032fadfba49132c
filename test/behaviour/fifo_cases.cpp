// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The FIFO queue, operations that do not wait: the cases of TensorFlow's fifo_queue_test under
// their names (testBigDequeueMany is big_dequeue_many). fifo_waiting_cases.cpp has those that
// wait, fifo_neighbour_cases.cpp other capacities and the try forms. Left out or changed:
//
//   shapes        part of the element's type, so the compiler refuses a wrong one; only a
//                 padding queue looks into its elements
//   shared names  a queue is an object, shared by reference, with one set of options
//   from_list     select and dequeue_any take the queues themselves and give the index back
//   names of components  are the members of a struct

#include "behaviour/queue_scenarios.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using test::element;
using test::range;
using test::tens;

namespace fifo_cases {

using fifo = sluice::fifo_queue<int>;

template <class Queue, class Value>
concept accepts = requires(Queue& queue, Value value) { queue.enqueue(value); };

template <class Queue, class Value>
concept accepts_rows = requires(Queue& queue, std::vector<Value> rows) {
    queue.enqueue_many(rows);
};

using matrix_3x2 = std::array<std::array<float, 2>, 3>;
using matrix_2x3 = std::array<std::array<float, 3>, 2>;

// Two components of an element: a number and a row of two.
using labelled_pair = std::pair<int, std::array<int, 2>>;

std::vector<labelled_pair> labelled_pairs(int count)
{
    std::vector<labelled_pair> result;
    for (int i = 1; i <= count; ++i)
        result.push_back({10 * i, {2 * i - 1, 2 * i}});
    return result;
}

template <class T>
std::vector<T> slice(
    const std::vector<T>& values,
    std::ptrdiff_t first,
    std::ptrdiff_t last
)
{
    return {values.begin() + first, values.begin() + last};
}

// Three named components.
struct record
{
    float f = 0;
    int i = 0;
    std::string s;

    friend bool operator==(const record&, const record&) = default;
};

}  // namespace fifo_cases

BOOST_FIXTURE_TEST_SUITE(fifo_cases, test::queue_fixture)

// One element at a time.

BOOST_AUTO_TEST_CASE(enqueue_stores_an_element)
{
    sluice::fifo_queue<float> queue{ctx, {.capacity = 10}};

    put(queue, 10.0F);

    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(enqueue_with_shape)
{
    using queue_type = sluice::fifo_queue<matrix_3x2>;
    BOOST_TEST((accepts<queue_type, matrix_3x2>));
    BOOST_TEST((!accepts<queue_type, matrix_2x3>));
    queue_type queue{ctx, {.capacity = 10}};

    put(queue, matrix_3x2{{{1, 2}, {3, 4}, {5, 6}}});

    BOOST_TEST(queue.size() == 1U);
    BOOST_TEST((get(queue.dequeue()) == matrix_3x2{{{1, 2}, {3, 4}, {5, 6}}}));
}

BOOST_AUTO_TEST_CASE(enqueue_many_with_shape)
{
    sluice::fifo_queue<labelled_pair> queue{ctx, {.capacity = 10}};

    fill(queue, {{1, {1, 1}}, {2, {2, 2}}, {3, {3, 3}}, {4, {4, 4}}});

    BOOST_TEST(queue.size() == 4U);
}

BOOST_AUTO_TEST_CASE(multiple_dequeues)
{
    fifo queue{ctx, {.capacity = 10}};
    std::vector<int> got;
    const auto take = [&]() -> boost::asio::awaitable<void> {
        got.push_back(co_await queue.dequeue());
    };
    spawn(take);
    spawn(take);
    spawn(take);

    fill(queue, {1, 2, 3});

    BOOST_TEST(test::sorted(got) == range(1, 3));
}

BOOST_AUTO_TEST_CASE(queues_do_not_share)
{
    fifo first{ctx, {.capacity = 10}};
    fifo second{ctx, {.capacity = 10}};
    put(first, 1);
    put(second, 2);

    BOOST_TEST(get(second.dequeue()) == 2);
    BOOST_TEST(get(first.dequeue()) == 1);
}

BOOST_AUTO_TEST_CASE(elements_leave_in_order)
{
    fifo queue{ctx, {.capacity = 10}};
    for (const int value : tens(3))
        put(queue, value);

    BOOST_TEST(get(queue.dequeue()) == 10);
    BOOST_TEST(get(queue.dequeue()) == 20);
    BOOST_TEST(get(queue.dequeue()) == 30);
}

BOOST_AUTO_TEST_CASE(multi_enqueue_and_dequeue)
{
    using pair = std::pair<int, float>;
    sluice::fifo_queue<pair> queue{ctx, {.capacity = 10}};
    const std::vector<pair> pairs{{5, 10.0F}, {10, 20.0F}, {15, 30.0F}};
    for (const pair& value : pairs)
        put(queue, value);

    BOOST_TEST(get_each(queue, 3) == pairs);
}

BOOST_AUTO_TEST_CASE(queue_size_empty)
{
    fifo queue{ctx, {.capacity = 10}};

    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(does_not_lose_value)
{
    fifo queue{ctx, {.capacity = 1}};
    put(queue, 10);

    int wrong = 0;
    for (int i = 0; i < 500; ++i)
        wrong += queue.size() == 1 ? 0 : 1;

    BOOST_TEST(wrong == 0);
    BOOST_TEST(get(queue.dequeue()) == 10);
}

// Batches.

BOOST_AUTO_TEST_CASE(empty_dequeue_many)
{
    fifo queue{ctx, {.capacity = 10}};
    BOOST_TEST(get(queue.dequeue_many(0)).empty());

    put(queue, 10);

    BOOST_TEST(get(queue.dequeue_many(0)).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_dequeue_up_to)
{
    fifo queue{ctx, {.capacity = 10}};
    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());

    put(queue, 10);

    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_dequeue_some)
{
    fifo queue{ctx, {.capacity = 10}};
    BOOST_TEST(get(queue.dequeue_some(0)).empty());
    BOOST_TEST(queue.try_dequeue_many(0).empty());

    put(queue, 10);

    BOOST_TEST(get(queue.dequeue_some(0)).empty());
    BOOST_TEST(queue.try_dequeue_many(0).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_no_blocking)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(10));

    BOOST_TEST(get(queue.dequeue_up_to(4)) == tens(4));
    BOOST_TEST(get(queue.dequeue_up_to(4)) == (std::vector<int>{50, 60, 70, 80}));
}

BOOST_AUTO_TEST_CASE(dequeue_some_takes_what_is_there)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(6));

    BOOST_TEST(get(queue.dequeue_some(4)) == tens(4));
    BOOST_TEST(get(queue.dequeue_some(4)) == (std::vector<int>{50, 60}));
}

BOOST_AUTO_TEST_CASE(multi_dequeue_many)
{
    sluice::fifo_queue<labelled_pair> queue{ctx, {.capacity = 10}};
    const auto rows = labelled_pairs(10);
    fill(queue, rows);

    BOOST_TEST((get(queue.dequeue_many(4)) == slice(rows, 0, 4)));
    BOOST_TEST((get(queue.dequeue_many(4)) == slice(rows, 4, 8)));
    BOOST_TEST((get(queue.dequeue()) == rows[8]));
}

BOOST_AUTO_TEST_CASE(multi_dequeue_up_to_no_blocking)
{
    sluice::fifo_queue<labelled_pair> queue{ctx, {.capacity = 10}};
    const auto rows = labelled_pairs(10);
    fill(queue, rows);

    BOOST_TEST((get(queue.dequeue_up_to(4)) == slice(rows, 0, 4)));
    BOOST_TEST((get(queue.dequeue_up_to(4)) == slice(rows, 4, 8)));
    BOOST_TEST((get(queue.dequeue()) == rows[8]));
}

BOOST_AUTO_TEST_CASE(high_dimension)
{
    using block = std::array<std::array<std::array<std::array<int, 4>, 4>, 4>, 4>;
    sluice::fifo_queue<block> queue{ctx, {.capacity = 10}};
    std::vector<block> blocks(10);
    for (int index = 0; index < 10; ++index)
        for (auto& plane : blocks[static_cast<std::size_t>(index)])
            for (auto& row : plane)
                for (auto& cells : row)
                    cells.fill(index);
    fill(queue, blocks);

    BOOST_TEST((get(queue.dequeue_many(10)) == blocks));
}

BOOST_AUTO_TEST_CASE(enqueue_wrong_shape)
{
    using queue_type = sluice::fifo_queue<labelled_pair>;
    using wrong_pair = std::pair<std::array<int, 2>, std::array<int, 2>>;

    BOOST_TEST((accepts<queue_type, labelled_pair>));
    BOOST_TEST((!accepts<queue_type, wrong_pair>));
    BOOST_TEST((accepts_rows<queue_type, labelled_pair>));
    BOOST_TEST((!accepts_rows<queue_type, wrong_pair>));
}

BOOST_AUTO_TEST_CASE(dequeue_many_with_a_count_from_a_queue)
{
    test::batches_of_sizes_from_a_queue<fifo>(23);
}

BOOST_AUTO_TEST_CASE(enqueue_dequeue_multiple_named_components)
{
    sluice::fifo_queue<record> queue{ctx, {.capacity = 10}};
    put(queue, {.f = 10, .i = 123, .s = "aa"});
    put(queue, {.f = 20, .i = 124, .s = "bb"});
    put(queue, {.f = 30, .i = 125, .s = "cc"});
    fill(queue, {{.f = 40, .i = 126, .s = "dd"}, {.f = 50, .i = 127, .s = "ee"}});

    const auto first = get(queue.dequeue());
    const auto batch = get(queue.dequeue_many(2));

    BOOST_TEST((first == record{.f = 10, .i = 123, .s = "aa"}));
    BOOST_TEST((batch[0] == record{.f = 20, .i = 124, .s = "bb"}));
    BOOST_TEST((batch[1] == record{.f = 30, .i = 125, .s = "cc"}));
    BOOST_TEST(queue.size() == 2U);
}

// Closed queues.

BOOST_AUTO_TEST_CASE(dequeue_from_closed_queue)
{
    fifo queue{ctx, {.capacity = 10, .name = "lines"}};
    fill(queue, tens(4));
    queue.close();

    BOOST_TEST(get_each(queue, 4) == tens(4));
    const auto fifth = start(queue.dequeue());

    fifth.check_error(errc::end_of_queue);
    BOOST_TEST(test::contains(test::what(fifth.error()), "dequeue on queue 'lines'"));
    BOOST_TEST(test::contains(test::what(fifth.error()), "fewer elements than were asked")
    );
}

BOOST_AUTO_TEST_CASE(next_of_closed_queue_is_empty_at_the_end)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(2));
    queue.close();

    BOOST_TEST(get(queue.next()) == std::optional(10));
    BOOST_TEST(get(queue.next()) == std::optional(20));
    BOOST_TEST(get(queue.next()) == std::optional<int>());
    BOOST_TEST(get(queue.next()) == std::optional<int>());
}

BOOST_AUTO_TEST_CASE(try_forms_of_closed_queue)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    queue.close();

    BOOST_TEST(queue.try_dequeue() == std::optional(10));
    BOOST_TEST(queue.try_dequeue_many(2) == (std::vector<int>{20, 30}));
    BOOST_TEST(queue.try_dequeue_many(2) == std::vector<int>{40});
    BOOST_TEST(queue.try_dequeue_many(2).empty());
    BOOST_TEST(queue.try_dequeue() == std::optional<int>());
}

BOOST_AUTO_TEST_CASE(dequeue_after_a_cancelling_close)
{
    fifo queue{ctx, {.capacity = 10}};
    fill(queue, tens(4));
    queue.close(sluice::close_mode::cancel_pending);

    BOOST_TEST(get_each(queue, 4) == tens(4));
    start(queue.dequeue()).check_error(errc::end_of_queue);
}

// Many threads.

BOOST_AUTO_TEST_CASE(enqueue_from_many_threads)
{
    test::parallel_enqueue<fifo>();
}

BOOST_AUTO_TEST_CASE(dequeue_from_many_threads)
{
    test::parallel_dequeue<fifo>();
}

BOOST_AUTO_TEST_CASE(enqueue_and_blocking_dequeue_on_threads)
{
    test::blocking_dequeue_across_threads<fifo>();
}

BOOST_AUTO_TEST_CASE(enqueue_many_from_many_threads)
{
    test::parallel_enqueue_many<fifo>();
}

BOOST_AUTO_TEST_CASE(dequeue_many_from_many_threads)
{
    test::parallel_dequeue_many<fifo>();
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_from_many_threads)
{
    test::parallel_dequeue_up_to_closed<fifo>();
}

BOOST_AUTO_TEST_SUITE_END()
