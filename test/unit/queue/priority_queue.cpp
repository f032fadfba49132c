// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/priority_queue.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

using sluice::errc;
using sluice::test::record;

namespace priority_queue {

using queue = sluice::priority_queue<int>;

// For coroutines, in which GCC 12 cannot keep a constant list.
template <class... Value>
std::vector<int> list(Value... values)
{
    return {values...};
}

}  // namespace priority_queue

BOOST_FIXTURE_TEST_SUITE(priority_queue, sluice::test::io_fixture)

SLUICE_CO_TEST(smallest_leaves_first)
{
    queue q(ctx, {.capacity = 10});
    std::vector<int> values = list(5, 1, 4, 2, 3);
    co_await q.enqueue_many(values);
    BOOST_TEST(co_await q.dequeue() == 1);
    BOOST_TEST(co_await q.dequeue_many(2) == list(2, 3));
    BOOST_TEST(co_await q.dequeue_some(9) == list(4, 5));
}

SLUICE_CO_TEST(largest_leaves_first_with_greater)
{
    sluice::priority_queue<std::string, std::greater<>> q(
        ctx,
        {.capacity = sluice::unbounded}
    );
    for (const char text : std::string("acb"))
        co_await q.enqueue(std::string(1, text));
    BOOST_TEST(co_await q.dequeue() == "c");
}

BOOST_AUTO_TEST_CASE(batch_waits_until_all_are_stored_at_the_same_time)
{
    queue q(ctx, {.capacity = 10});
    auto batch = q.async_dequeue_many(3, record);
    for (const int value : {9, 1}) {
        BOOST_TEST(q.try_enqueue(int(value)));
        run();
        batch.check_pending();
    }
    BOOST_TEST(q.size() == 2U);
    BOOST_TEST(q.try_enqueue(5));
    run();
    batch.check_success().check_value(list(1, 5, 9));
}

BOOST_AUTO_TEST_CASE(batch_above_the_capacity_is_refused_at_once)  // D7, S8
{
    queue q(ctx, {.capacity = 3, .name = "jobs"});
    auto many = q.async_dequeue_many(4, record);
    auto up_to = q.async_dequeue_up_to(4, record);
    auto some = q.async_dequeue_some(4, record);
    run();
    many.check_error(errc::invalid_argument);
    up_to.check_error(errc::invalid_argument);
    some.check_pending();
    q.close();
    run();
    some.check_error(errc::end_of_queue);
}

SLUICE_CO_TEST(refusal_names_the_operation_and_the_queue)
{
    queue q(ctx, {.capacity = 3, .name = "jobs"});
    std::string text;
    try {
        (void)co_await q.dequeue_many(4);
    } catch (const sluice::system_error& error) {
        text = error.what();
    }
    BOOST_TEST(text.starts_with("dequeue_many(4) on queue 'jobs'"));
}

SLUICE_CO_TEST(closed_short_queue_gives_up_to_what_is_left)  // D6
{
    queue q(ctx, {.capacity = 10});
    std::vector<int> values = list(3, 1, 2);
    co_await q.enqueue_many(values);
    q.close();
    auto [ec, none] = co_await q.dequeue_many(5).as_tuple();
    BOOST_TEST(ec == errc::end_of_queue);
    BOOST_TEST(none.empty());
    BOOST_TEST(co_await q.dequeue_up_to(5) == list(1, 2, 3));
}

BOOST_AUTO_TEST_CASE(try_batch_takes_the_smallest)
{
    queue q(ctx, {.capacity = 10});
    std::vector<int> values = list(3, 1, 2);
    BOOST_TEST(q.try_enqueue_many(values) == 3U);
    BOOST_TEST(q.try_dequeue_many(2) == list(1, 2));
}

BOOST_AUTO_TEST_CASE(rendezvous_is_refused)
{
    BOOST_CHECK_THROW(queue(ctx, {.capacity = 0}), sluice::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
