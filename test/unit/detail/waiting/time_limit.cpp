// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/time_limit.hpp>

#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <limits>

using limit = sluice::detail::time_limit;
using time_point = limit::clock::time_point;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(time_limit)

BOOST_AUTO_TEST_CASE(duration_is_rounded_up)
{
    using finer = std::chrono::duration<double, std::nano>;
    BOOST_TEST((limit::within(finer(0.25)).deadline(time_point()) > time_point()));
    BOOST_TEST(!limit::within(finer(0.25)).has_passed());
}

BOOST_AUTO_TEST_CASE(duration_of_zero_or_less_has_passed)
{
    BOOST_TEST(limit::within(0s).has_passed());
    BOOST_TEST(limit::within(-5min).has_passed());
    BOOST_TEST(limit::within(std::chrono::hours::min()).has_passed());
}

BOOST_AUTO_TEST_CASE(duration_that_is_no_number_has_passed)
{
    const std::chrono::duration<double> none(std::numeric_limits<double>::quiet_NaN());
    BOOST_TEST(limit::within(none).has_passed());
}

BOOST_AUTO_TEST_CASE(duration_beyond_what_the_clock_counts_means_for_ever)
{
    BOOST_TEST(!limit::within(std::chrono::hours::max()).is_set());
    BOOST_TEST(!limit::within(std::chrono::nanoseconds::max()).has_passed());
    const std::chrono::duration<double> endless(std::numeric_limits<double>::infinity());
    BOOST_TEST(!limit::within(endless).is_set());
    // the longest that counts does not overflow
    const limit century = limit::within(std::chrono::hours(24 * 365 * 100));
    BOOST_TEST(century.is_set());
    BOOST_TEST((century.deadline() > limit::clock::now()));
}

BOOST_AUTO_TEST_CASE(time_point_of_another_clock_counts_from_now)
{
    using other = std::chrono::system_clock;
    BOOST_TEST(limit::until(other::now() - 1h).has_passed());
    const limit hour = limit::until(other::now() + 1h);
    BOOST_TEST(!hour.has_passed());
    BOOST_TEST((hour.deadline() <= limit::clock::now() + 2h));
    BOOST_TEST((hour.deadline() > limit::clock::now() + 30min));
}

BOOST_AUTO_TEST_CASE(far_time_point_of_another_clock_does_not_overflow)
{
    using other = std::chrono::system_clock;
    using coarse = std::chrono::time_point<other, std::chrono::hours>;
    BOOST_TEST(!limit::until(coarse(std::chrono::hours(24 * 365 * 5000))).has_passed());
    BOOST_TEST(!limit::until(other::time_point::max()).has_passed());
    BOOST_TEST(limit::until(other::time_point::min()).has_passed());
}

BOOST_AUTO_TEST_SUITE_END()
