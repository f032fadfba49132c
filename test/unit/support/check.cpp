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

BOOST_AUTO_TEST_CASE(passed_check_reports_nothing)
{
    test::captured_failures failures;

    BOOST_TEST(test::check(true, "fine"));

    BOOST_TEST(failures.count() == 0u);
}

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

BOOST_AUTO_TEST_CASE(innermost_capture_receives)
{
    test::captured_failures outer;
    {
        test::captured_failures inner;
        test::fail("first");
        BOOST_TEST(inner.count() == 1u);
    }
    test::fail("second");

    BOOST_TEST(outer.count() == 1u);
    BOOST_TEST(outer.mention("second"));
}

BOOST_AUTO_TEST_CASE(failures_of_other_threads_are_captured)
{
    test::captured_failures failures;

    std::thread{[] { test::fail("from a thread"); }}.join();

    BOOST_TEST(failures.mention("from a thread"));
}

// The one case that lets a failure through to Boost.Test, with the log switched off.
BOOST_AUTO_TEST_CASE(
    failure_without_capture_fails_the_case,
    *boost::unit_test::expected_failures(1)
)
{
    namespace ut = boost::unit_test;
    const auto& results = ut::results_collector.results(
        ut::framework::current_test_case_id()
    );
    const auto before = results.p_assertions_failed.get();

    ut::unit_test_log.set_threshold_level(ut::log_nothing);
    test::fail("seen by nobody");
    ut::unit_test_log.set_threshold_level(
        ut::runtime_config::get<ut::log_level>(ut::runtime_config::btrt_log_level)
    );

    BOOST_TEST(results.p_assertions_failed.get() == before + 1);
}

BOOST_AUTO_TEST_SUITE_END()
