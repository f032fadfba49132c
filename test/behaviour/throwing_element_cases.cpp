// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// S9, for every kind of queue: when moving an element throws, a failed enqueue leaves the
// element with its caller, an element whose move out throws may be lost and its consumer is
// told, and the queue stays usable.

#include "behaviour/queue_cases.hpp"
#include "support/counted.hpp"
#include "support/recording_handler.hpp"
#include "support/throwing.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
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

// A row whose padding fails.
struct unpaddable
{
};

void pad_rows(std::span<unpaddable> rows)
{
    if (!rows.empty())
        throw std::runtime_error("no padding");
}

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

// Starts a dequeue with a token, while each move of the element throws in turn: the handler
// is called, and it gets the element or the failure.
template <class Start>
void handlers_are_called_whatever_throws(Start start)
{
    const auto failures = test::for_each_move_failure([&](test::move_failure& failure) {
        test::queue_fixture io;
        sluice::fifo_queue<throwing> queue{io.ctx};
        BOOST_TEST(queue.try_enqueue(throwing{1}));
        int called = 0;
        bool element = false;
        start(queue, [&](const sluice::error_code& code, const auto& taken) {
            ++called;
            element = taken.has_value();
            BOOST_TEST(code == (element ? sluice::error_code() : errc::element_failed));
        });
        BOOST_CHECK_NO_THROW(io.run());
        failure.disarm();

        BOOST_TEST(called == 1);
        BOOST_TEST(element != failure.fired());
        BOOST_TEST(queue.size() == 0U);
        io.put(queue, throwing{9});
        BOOST_TEST(io.get(queue.dequeue()) == 9);
    });
    BOOST_TEST(failures > 2U);  // more than enter the queue
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

BOOST_AUTO_TEST_CASE(s9_handler_is_called_if_the_element_cannot_be_moved_out)  // P3
{
    handlers_are_called_whatever_throws([](auto& queue, auto handler) {
        queue.async_dequeue(std::move(handler));
    });
    handlers_are_called_whatever_throws([](auto& queue, auto handler) {
        queue.async_next(std::move(handler));
    });
    handlers_are_called_whatever_throws([](auto& queue, auto handler) {
        sluice::select(queue.dequeue())(std::move(handler));
    });
    handlers_are_called_whatever_throws([](auto& queue, auto handler) {
        sluice::dequeue_any(std::vector{&queue})(std::move(handler));
    });
}

BOOST_AUTO_TEST_CASE(s9_handler_is_called_if_padding_throws)  // P3
{
    test::queue_fixture io;
    sluice::padding_queue<unpaddable> queue{io.ctx};
    io.put(queue, unpaddable{});
    auto batch = queue.async_dequeue_many(1, test::record);
    io.run();
    batch.check_error(errc::element_failed);

    io.put(queue, unpaddable{});
    auto selected = sluice::select(queue.dequeue_many(1))(test::record);
    io.run();
    selected.check_error(errc::element_failed);
}

BOOST_AUTO_TEST_CASE(s9_tuple_form_reports_what_a_select_could_not_move)
{
    test::queue_fixture io;
    sluice::padding_queue<unpaddable> queue{io.ctx};
    io.put(queue, unpaddable{});
    const auto [code, taken] = io.get(sluice::select(queue.dequeue_many(1)).as_tuple());
    BOOST_TEST(code == errc::element_failed);
    BOOST_TEST(!taken.has_value());
}

BOOST_AUTO_TEST_CASE(s9_comparison_that_throws_is_told_and_costs_no_element)  // P1
{
    test::queue_fixture io;
    sluice::priority_queue<int, unable_to_compare> queue{io.ctx};
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

BOOST_AUTO_TEST_CASE(s9_unassignable_elements)
{
    carries_unassignable_elements<sluice::fifo_queue<unassignable>>();
    carries_unassignable_elements<sluice::shuffle_queue<unassignable>>();
    carries_unassignable_elements<sluice::priority_queue<unassignable>>();
}

BOOST_AUTO_TEST_SUITE_END()
