// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/table.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cli = sluice::cli;

BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(columns_count_code_points_not_bytes)
{
    BOOST_TEST(cli::columns_of("") == 0U);
    BOOST_TEST(cli::columns_of("abc") == 3U);
    BOOST_TEST(cli::columns_of("\xC3\xA4\xE2\x82\xAC") == 2U);
}

BOOST_AUTO_TEST_CASE(cut_keeps_whole_code_points_and_removes_control_characters)
{
    BOOST_TEST(cli::cut("abc", 5) == "abc");
    BOOST_TEST(cli::cut("abc", 2) == "ab");
    BOOST_TEST(cli::cut("abc", 0).empty());
    BOOST_TEST(cli::cut("\xC3\xA4\xC3\xB6x", 2) == "\xC3\xA4\xC3\xB6");
    BOOST_TEST(cli::cut("a\x1B[Ab\n\x7F", 9) == "a?[Ab??");
}

BOOST_AUTO_TEST_CASE(padding_fills_up_and_never_cuts)
{
    BOOST_TEST(cli::pad_left("7", 3) == "  7");
    BOOST_TEST(cli::pad_right("7", 3) == "7  ");
    BOOST_TEST(cli::pad_left("1234", 3) == "1234");
    BOOST_TEST(cli::pad_right("\xC3\xA4", 2) == "\xC3\xA4 ");
}

BOOST_AUTO_TEST_CASE(lines_are_aligned_and_have_no_blanks_at_their_ends)
{
    cli::table table({cli::alignment::left, cli::alignment::right, cli::alignment::left});
    table.add({"name", "n", ""});
    table.add({"x", "1,000", "wide"});
    const std::vector<std::string> expected{"name      n", "x     1,000  wide"};
    BOOST_TEST(table.lines() == expected, boost::test_tools::per_element());
    BOOST_TEST(cli::table({}).lines().empty());
}

BOOST_AUTO_TEST_SUITE_END()
