// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_times.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(wait_times)

BOOST_AUTO_TEST_CASE(a_wait_is_counted_in_the_first_bucket_that_reaches_so_far)
{
    sluice::detail::wait_times times;
    times.add(0, 0ns);
    times.add(0, 1us);
    times.add(0, 1001ns);
    times.add(0, 10s);
    times.add(0, 10s + 1ns);
    const auto seen = times.read(0);
    BOOST_TEST(seen.counts[0] == 2U);
    BOOST_TEST(seen.counts[1] == 1U);
    BOOST_TEST(seen.counts[7] == 1U);
    BOOST_TEST(seen.counts[8] == 1U);
    BOOST_TEST((seen.sum == 20s + 2us + 2ns));
}

BOOST_AUTO_TEST_SUITE_END()
