// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/any_queue.hpp>

#include "support/io_fixture.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/semaphore.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>
#include <vector>

namespace any_queue {

namespace asio = boost::asio;
using executor = asio::io_context::executor_type;

static_assert(sluice::any_queue<sluice::fifo_queue<int>>);
static_assert(sluice::any_queue<const sluice::fifo_queue<int>>);
static_assert(sluice::any_queue<sluice::priority_queue<std::string>>);
static_assert(sluice::any_queue<sluice::padding_queue<std::vector<int>>>);
static_assert(sluice::any_queue<sluice::shuffle_queue<int, executor>>);
static_assert(!sluice::any_queue<std::deque<int>>);
static_assert(!sluice::any_queue<sluice::semaphore>);
static_assert(!sluice::any_queue<int>);

static_assert(sluice::queue_of<sluice::fifo_queue<int, executor>, int>);
static_assert(!sluice::queue_of<sluice::fifo_queue<int>, long>);
static_assert(!sluice::queue_of<std::vector<int>, int>);

asio::awaitable<int> sum_of(sluice::queue_of<int> auto& numbers)
{
    int sum = 0;
    while (const auto number = co_await numbers.next())
        sum += *number;
    co_return sum;
}

void fill(sluice::queue_of<int> auto& numbers)
{
    for (const int number : {1, 2, 3})
        BOOST_TEST(numbers.try_enqueue(number));
    numbers.close();
}

}  // namespace any_queue

BOOST_FIXTURE_TEST_SUITE(any_queue, sluice::test::io_fixture)

BOOST_AUTO_TEST_CASE(function_takes_queues_of_every_kind)
{
    sluice::fifo_queue<int> fifo{ctx, {.capacity = 4}};
    sluice::priority_queue<int> priority{ctx, {.capacity = 4}};
    sluice::shuffle_queue<int> shuffle{ctx, {.capacity = 4}};
    ::any_queue::fill(fifo);
    ::any_queue::fill(priority);
    ::any_queue::fill(shuffle);
    BOOST_TEST(run_until_done(spawn(::any_queue::sum_of(fifo))) == 6);
    BOOST_TEST(run_until_done(spawn(::any_queue::sum_of(priority))) == 6);
    BOOST_TEST(run_until_done(spawn(::any_queue::sum_of(shuffle))) == 6);
}

BOOST_AUTO_TEST_SUITE_END()
