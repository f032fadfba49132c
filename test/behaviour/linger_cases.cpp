// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S27

// A batch by size or time: dequeue_up_to(n).linger(duration). No case depends on how long
// something takes: a time that must pass is short and has nothing to race with, and one that
// must not is an hour.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace test = sluice::test;
using sluice::errc;
using test::range;
using namespace std::chrono_literals;

namespace linger_cases {

using fifo = sluice::fifo_queue<int>;

constexpr auto soon = 1ms;
constexpr auto late = 1h;

}  // namespace linger_cases

BOOST_FIXTURE_TEST_SUITE(linger_cases, test::queue_fixture)

BOOST_AUTO_TEST_CASE(time_ends_the_wait_for_more)
{
    fifo queue{ctx, {.capacity = 8}};
    const auto waits = spawn(queue.dequeue_up_to(4).linger(soon));
    run();
    waits.check_pending();
    put(queue, 0);
    BOOST_TEST(run_until_done(waits) == range(0, 0));
}

// Nothing ticks while nothing comes.
BOOST_AUTO_TEST_CASE(nothing_is_armed_before_the_first_element)
{
    fifo queue{ctx, {.capacity = 8}};
    const auto waits = spawn(queue.dequeue_up_to(4).linger(soon));
    for (int i = 0; i < 3; ++i)
        run();
    waits.check_pending();
    BOOST_TEST(queue.stats().waiting_consumers == 1U);
    queue.close();
    run();
    BOOST_CHECK_EXCEPTION(waits.result(), sluice::system_error, [](const auto& e) {
        return e.code() == errc::end_of_queue;
    });
}

BOOST_AUTO_TEST_CASE(limit_bounds_the_wait_for_the_first)
{
    fifo queue{ctx, {.capacity = 8}};
    const auto [error, none] = run_until_done(
        queue.dequeue_up_to(4).linger(late).within(soon).as_tuple()
    );
    BOOST_TEST(error == errc::timed_out);
    BOOST_TEST(none.empty());

    put(queue, 0);
    const auto waits = spawn(queue.dequeue_up_to(2).within(soon).linger(late));
    run();
    run_until([&, past = std::chrono::steady_clock::now() + 5 * soon] {
        return std::chrono::steady_clock::now() > past;
    });
    waits.check_pending();  // the limit does not bound the rest
    put(queue, 1);
    BOOST_TEST(run_until_done(waits) == range(0, 1));
}

BOOST_AUTO_TEST_CASE(no_time_is_as_dequeue_some)
{
    fifo queue{ctx, {.capacity = 8}};
    put(queue, 0);
    BOOST_TEST(run_until_done(queue.dequeue_up_to(2).linger(0s)) == range(0, 0));
    BOOST_TEST(run_until_done(queue.dequeue_up_to(0).linger(0s)).empty());
}

BOOST_AUTO_TEST_CASE(unlimited_time_is_as_dequeue_up_to)
{
    fifo queue{ctx, {.capacity = 8}};
    put(queue, 0);
    const auto waits = spawn(queue.dequeue_up_to(2).linger(std::chrono::hours::max()));
    run();
    waits.check_pending();
    put(queue, 1);
    BOOST_TEST(run_until_done(waits) == range(0, 1));
}

BOOST_AUTO_TEST_SUITE_END()
