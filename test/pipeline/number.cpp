// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/number.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>

namespace text = sluice::text;

BOOST_AUTO_TEST_SUITE(number)

BOOST_AUTO_TEST_CASE(digits_are_those_of_ascii)
{
    BOOST_TEST((text::is_digit('0') && text::is_digit('9')));
    BOOST_TEST(!(text::is_digit('/') || text::is_digit(':') || text::is_digit('\xb2')));
}

BOOST_AUTO_TEST_CASE(separators_stand_between_thousands)
{
    BOOST_TEST(text::with_separators(0) == "0");
    BOOST_TEST(text::with_separators(999) == "999");
    BOOST_TEST(text::with_separators(1000) == "1,000");
    BOOST_TEST(
        text::with_separators(std::numeric_limits<std::uint64_t>::max()) ==
        "18,446,744,073,709,551,615"
    );
}

BOOST_AUTO_TEST_CASE(percents_are_whole)
{
    BOOST_TEST(text::percent(0) == "0 %");
    BOOST_TEST(text::percent(0.374) == "37 %");
    BOOST_TEST(text::percent(0.625) == "63 %");
    BOOST_TEST(text::percent(1) == "100 %");
}

BOOST_AUTO_TEST_SUITE_END()
