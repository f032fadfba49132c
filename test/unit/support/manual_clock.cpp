// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/manual_clock.hpp"

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

static_assert(std::chrono::is_clock_v<test::manual_clock>);

namespace {

struct clock_fixture : test::manual_clock_fixture, test::io_fixture
{
    void advance(test::manual_clock::duration time)
    {
        test::manual_clock::advance(ctx, time);
        run();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(manual_clock, clock_fixture)

BOOST_AUTO_TEST_CASE(clock_stands_still_until_advanced)
{
    const auto start = test::manual_clock::now();
    BOOST_TEST((start == test::manual_clock::time_point{}));

    test::manual_clock::advance(3s);

    BOOST_TEST((test::manual_clock::now() == start + 3s));
}

BOOST_AUTO_TEST_CASE(every_test_starts_at_the_epoch)
{
    BOOST_TEST((test::manual_clock::now() == test::manual_clock::time_point{}));
}

BOOST_AUTO_TEST_CASE(timer_expires_at_its_time_and_not_before)
{
    test::manual_timer timer{ctx, 10min};
    auto wait = timer.async_wait(test::record);

    advance(9min);
    wait.check_pending();
    advance(1min);
    wait.check_success();
}

BOOST_AUTO_TEST_CASE(timers_expire_in_their_order)
{
    std::vector<int> order;
    test::manual_timer late{ctx, 2s};
    test::manual_timer early{ctx, 1s};
    late.async_wait([&](auto) { order.push_back(2); });
    early.async_wait([&](auto) { order.push_back(1); });

    advance(1h);

    BOOST_TEST(order == (std::vector{1, 2}));
}

BOOST_AUTO_TEST_CASE(timer_started_later_counts_from_then)
{
    advance(1h);
    test::manual_timer timer{ctx};
    timer.expires_after(2s);
    auto wait = timer.async_wait(test::record);

    advance(1s);
    wait.check_pending();
    advance(1s);
    wait.check_success();
}

BOOST_AUTO_TEST_CASE(timer_that_is_due_already_expires_at_once)
{
    test::manual_timer timer{ctx, 0s};
    auto wait = timer.async_wait(test::record);

    advance(0s);

    wait.check_success();
}

BOOST_AUTO_TEST_CASE(cancelled_timer_is_aborted)
{
    test::manual_timer timer{ctx, 1s};
    auto wait = timer.async_wait(test::record);

    timer.cancel();
    run();

    wait.check_error(asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
