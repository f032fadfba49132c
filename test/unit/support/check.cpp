// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/check.hpp"

#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>
#include <boost/test/unit_test_parameters.hpp>

#include <thread>
#include <vector>

namespace test = sluice::test;

BOOST_AUTO_TEST_SUITE(check)

BOOST_AUTO_TEST_CASE(failed_check_is_captured_with_message_and_line)
{
    test::captured_failures failures;

    const unsigned line = __LINE__ + 1;
    BOOST_TEST(!test::check(false, "two is not three"));

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("not three"));
    BOOST_TEST(!failures.mention("not four"));
    BOOST_TEST(
        failures.lines() == std::vector<unsigned>{line},
        boost::test_tools::per_element()
    );
}

BOOST_AUTO_TEST_CASE(failures_of_other_threads_are_captured)
{
    test::captured_failures failures;

    std::thread{[] { test::fail("from a thread"); }}.join();

    BOOST_TEST(failures.mention("from a thread"));
}

BOOST_AUTO_TEST_SUITE_END()
