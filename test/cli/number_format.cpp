// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/number_format.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(number_format)

BOOST_AUTO_TEST_CASE(counts_have_commas_between_thousands)
{
    BOOST_TEST(cli::format_count(0) == "0");
    BOOST_TEST(cli::format_count(999) == "999");
    BOOST_TEST(cli::format_count(1000) == "1,000");
    BOOST_TEST(cli::format_count(1234567) == "1,234,567");
    BOOST_TEST(
        cli::format_count(std::numeric_limits<std::uint64_t>::max()) ==
        "18,446,744,073,709,551,615"
    );
}

BOOST_AUTO_TEST_CASE(rates_have_three_digits_and_a_unit)
{
    BOOST_TEST(cli::format_rate(0) == "0/s");
    BOOST_TEST(cli::format_rate(0.25) == "0.2/s");
    BOOST_TEST(cli::format_rate(12.5) == "12.5/s");
    BOOST_TEST(cli::format_rate(999) == "999/s");
    BOOST_TEST(cli::format_rate(999.6) == "1.00 k/s");
    BOOST_TEST(cli::format_rate(12345) == "12.3 k/s");
    BOOST_TEST(cli::format_rate(1.2e6) == "1.20 M/s");
    BOOST_TEST(cli::format_rate(3e12) == "3000 G/s");
}

BOOST_AUTO_TEST_CASE(durations_are_as_exact_as_a_reader_needs)
{
    BOOST_TEST(cli::format_duration(0s) == "0.00 s");
    BOOST_TEST(cli::format_duration(12ms) == "0.01 s");
    BOOST_TEST(cli::format_duration(999ms) == "1.0 s");
    BOOST_TEST(cli::format_duration(3240ms) == "3.2 s");
    BOOST_TEST(cli::format_duration(59960ms) == "1 min 00 s");
    BOOST_TEST(cli::format_duration(125s) == "2 min 05 s");
    BOOST_TEST(cli::format_duration(3600s) == "1 h 00 min");
    BOOST_TEST(cli::format_duration(26h + 2min + 59s) == "26 h 02 min");
}

BOOST_AUTO_TEST_CASE(shares_are_whole_percents)
{
    BOOST_TEST(cli::format_share(0) == "0 %");
    BOOST_TEST(cli::format_share(0.374) == "37 %");
    BOOST_TEST(cli::format_share(1) == "100 %");
}

BOOST_AUTO_TEST_SUITE_END()
