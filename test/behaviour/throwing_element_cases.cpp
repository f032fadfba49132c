// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// S9 of the behaviour page, for every kind of queue: when moving an element throws, a
// failed enqueue leaves the element with its caller, an element whose move out throws may
// be lost and its consumer is told, and the queue stays usable.

#include "behaviour/queue_cases.hpp"
#include "support/counted.hpp"
#include "support/throwing.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using test::counted;
using test::throwing;

namespace sluice::test {

// A row that needs no padding, so that padding_queue can carry it.
inline void pad_rows(std::span<throwing> /*rows*/) {}

}  // namespace sluice::test

namespace {

// Enqueues `rows` and says what became of it; takes everything out again one by one.
template <class Queue>
boost::asio::awaitable<void> pass_through(
    Queue& queue,
    std::vector<throwing>& rows,
    std::vector<int>& got,
    std::size_t& lost
)
{
    const auto [code, count] = co_await queue.enqueue_many(rows).as_tuple();
    BOOST_TEST((!code || code == errc::element_failed));
    BOOST_TEST(count == (code ? count : rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        BOOST_TEST((rows[i].value() == counted::gone) == (i < count), "row " << i);
    while (queue.size() > 0) {
        try {
            const throwing taken = co_await queue.dequeue();
            got.push_back(taken.value());
        } catch (const test::move_error&) {
            ++lost;
        }
    }
    for (const throwing& row : rows)
        if (row.value() != counted::gone)
            got.push_back(row.value());  // still with the caller
}

// Each move of an element throws in turn: only what a consumer was told of is lost.
template <class Queue>
void throwing_moves_lose_nothing_silently()
{
    test::counted_fixture counts;
    const auto failures = test::for_each_move_failure([](test::move_failure& failure) {
        test::queue_fixture io;
        Queue queue{io.ctx, {.capacity = 4}};
        std::vector<throwing> rows;
        rows.reserve(4);
        for (const int value : {3, 1, 4, 2})
            rows.emplace_back(value);
        std::vector<int> got;
        std::size_t lost = 0;
        io.spawn(pass_through(queue, rows, got, lost));
        io.run();
        failure.disarm();

        BOOST_TEST(lost <= (failure.fired() ? 1U : 0U));
        BOOST_TEST(got.size() + lost == 4U);
        for (const int value : got)
            BOOST_TEST((value >= 1 && value <= 4), value << " is no element");
        got = test::sorted(got);
        BOOST_TEST(
            (std::ranges::adjacent_find(got) == got.end()),
            "an element came twice"
        );

        io.put(queue, throwing{9});
        BOOST_TEST(io.get(queue.dequeue()) == 9);
        BOOST_TEST(queue.size() == 0U);
    });
    BOOST_TEST(failures > 4U);
}

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

}  // namespace

BOOST_AUTO_TEST_SUITE(throwing_element_cases)

BOOST_AUTO_TEST_CASE(s9_throwing_moves_in_a_fifo_queue)
{
    throwing_moves_lose_nothing_silently<sluice::fifo_queue<throwing>>();
}

BOOST_AUTO_TEST_CASE(s9_throwing_moves_in_a_shuffle_queue)
{
    throwing_moves_lose_nothing_silently<sluice::shuffle_queue<throwing>>();
}

BOOST_AUTO_TEST_CASE(s9_throwing_moves_in_a_priority_queue)
{
    throwing_moves_lose_nothing_silently<sluice::priority_queue<throwing>>();
}

BOOST_AUTO_TEST_CASE(s9_throwing_moves_in_a_padding_queue)
{
    throwing_moves_lose_nothing_silently<sluice::padding_queue<throwing>>();
}

BOOST_AUTO_TEST_CASE(s9_unassignable_elements)
{
    carries_unassignable_elements<sluice::fifo_queue<unassignable>>();
    carries_unassignable_elements<sluice::shuffle_queue<unassignable>>();
    carries_unassignable_elements<sluice::priority_queue<unassignable>>();
}

BOOST_AUTO_TEST_SUITE_END()
