// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/fifo_queue.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <vector>

using sluice::test::record;

namespace fifo_queue {

using queue = sluice::fifo_queue<int>;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

}  // namespace fifo_queue

BOOST_FIXTURE_TEST_SUITE(fifo_queue, sluice::test::io_fixture)

BOOST_AUTO_TEST_CASE(is_a_basic_queue_over_a_fifo_store)
{
    static_assert(std::same_as<queue::value_type, int>);
    static_assert(std::same_as<queue::batch_type, std::vector<int>>);
    static_assert(std::same_as<queue::executor_type, boost::asio::any_io_executor>);
    static_assert(std::same_as<queue::options_type, sluice::queue_options>);
    BOOST_TEST(queue(ctx, {.capacity = 7}).capacity() == 7U);
}

SLUICE_CO_TEST(elements_leave_in_the_order_they_came)
{
    queue q(ctx, {.capacity = 10});
    std::vector<int> values = numbers(1, 10);
    co_await q.enqueue_many(values);
    BOOST_TEST(co_await q.dequeue_many(4) == numbers(1, 4));
    BOOST_TEST(co_await q.dequeue() == 5);
    BOOST_TEST(co_await q.dequeue_up_to(4) == numbers(6, 9));
    BOOST_TEST(co_await q.dequeue_some(4) == numbers(10, 10));
}

BOOST_AUTO_TEST_CASE(batch_may_exceed_the_capacity)
{
    queue q(ctx, {.capacity = 2});
    auto batch = q.async_dequeue_many(4, record);
    for (int i = 0; i < 4; ++i) {
        run();
        batch.check_pending();
        BOOST_TEST(q.try_enqueue(int(i)));
    }
    run();
    batch.check_success().check_value(numbers(0, 3));
}

BOOST_AUTO_TEST_CASE(enqueue_many_may_exceed_the_capacity)
{
    queue q(ctx, {.capacity = 5});
    std::vector<int> values = numbers(1, 10);
    auto rows = q.async_enqueue_many(values, record);
    for (int i = 1; i <= 4; ++i) {
        BOOST_TEST(q.try_dequeue().value() == i);
        run();
        BOOST_TEST(q.size() == 5U);
        rows.check_pending();
    }
    BOOST_TEST(q.try_dequeue().value() == 5);
    run();
    rows.check_success().check_value(10U);
    BOOST_TEST(q.try_dequeue_many(10) == numbers(6, 10));
}

BOOST_AUTO_TEST_CASE(rendezvous_completes_an_enqueue_when_its_element_is_taken)
{
    queue q(ctx, {.capacity = 0});
    auto in = q.async_enqueue(1, record);
    run();
    in.check_pending();
    BOOST_TEST(q.size() == 0U);
    auto out = q.async_dequeue(record);
    run();
    in.check_success();
    out.check_success().check_value(1);
    BOOST_TEST(!q.try_enqueue(2));
}

BOOST_AUTO_TEST_CASE(two_queues_do_not_share)
{
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    BOOST_TEST(a.try_enqueue(1));
    BOOST_TEST(b.try_enqueue(2));
    BOOST_TEST(b.try_dequeue().value() == 2);
    BOOST_TEST(a.try_dequeue().value() == 1);
}

SLUICE_CO_TEST(unbounded_queue_never_makes_a_producer_wait)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    for (int i = 0; i < 1000; ++i)
        co_await q.enqueue(int(i));
    BOOST_TEST(q.size() == 1000U);
    BOOST_TEST((co_await q.dequeue_many(1000)).back() == 999);
}

BOOST_AUTO_TEST_SUITE_END()
