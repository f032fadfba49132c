// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "metrics/unique_name.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace metrics = sluice::metrics;

BOOST_AUTO_TEST_SUITE(unique_name)

BOOST_AUTO_TEST_CASE(name_that_is_free_stays)
{
    std::set<std::string> taken;
    BOOST_TEST(metrics::unique_name("a", taken) == "a");
    BOOST_TEST(metrics::unique_name("b", taken) == "b");
    BOOST_TEST(metrics::unique_name("", taken).empty());
}

BOOST_AUTO_TEST_CASE(name_that_is_taken_gets_the_first_number_that_is_free)
{
    std::set<std::string> taken{"a", "a#3"};
    BOOST_TEST(metrics::unique_name("a", taken) == "a#2");
    BOOST_TEST(metrics::unique_name("a", taken) == "a#4");
    BOOST_TEST(metrics::unique_name("a#2", taken) == "a#2#2");
    BOOST_TEST(metrics::unique_name("", taken).empty());
    BOOST_TEST(metrics::unique_name("", taken) == "#2");
}

BOOST_AUTO_TEST_SUITE_END()
