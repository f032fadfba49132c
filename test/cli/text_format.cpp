// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/text_format.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(text_format)

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

BOOST_AUTO_TEST_CASE(cut_keeps_whole_characters_and_escapes_control_characters)
{
    BOOST_TEST(cli::cut("abc", 5) == "abc");
    BOOST_TEST(cli::cut("abc", 2) == "ab");
    BOOST_TEST(cli::cut("abc", 0).empty());
    BOOST_TEST(cli::cut("äöx", 2) == "äö");
    BOOST_TEST(cli::cut("a\x1B[Ab\n\x7F", 20) == "a\\x1b[Ab\\n\\x7f");
    BOOST_TEST(cli::cut("a\x1B", 3) == "a\\x");
}

BOOST_AUTO_TEST_CASE(cut_to_end_marks_what_is_left_out)
{
    BOOST_TEST(cli::cut_to_end("abcdef", 6) == "abcdef");
    BOOST_TEST(cli::cut_to_end("abcdef", 5) == "...ef");
    BOOST_TEST(cli::cut_to_end("abcdef", 0) == "...");
    BOOST_TEST(cli::cut_to_end("a\x1B\ndäö", 6) == "...däö");
}

BOOST_AUTO_TEST_CASE(cut_leaves_out_a_wide_character_of_which_half_would_fit)
{
    BOOST_TEST(cli::cut("单词", 4) == "单词");
    BOOST_TEST(cli::cut("单词", 3) == "单");
}

BOOST_AUTO_TEST_CASE(names_are_aligned_to_the_left_and_figures_to_the_right)
{
    const std::vector<std::string> expected{" name      n", " x     1,000"};
    BOOST_TEST(
        cli::table_lines({{"name", "n"}, {"x", "1,000"}}, 80, 1) == expected,
        boost::test_tools::per_element()
    );
    BOOST_TEST(cli::table_lines({}).empty());
}

BOOST_AUTO_TEST_CASE(tables_know_that_some_characters_are_wide)
{
    const std::vector<std::string> expected{"单词  1", "ä     2", "word  3"};
    BOOST_TEST(
        cli::table_lines({{"单词", "1"}, {"ä", "2"}, {"word", "3"}}) == expected,
        boost::test_tools::per_element()
    );
}

BOOST_AUTO_TEST_CASE(table_has_titles_if_it_has_rows)
{
    const std::vector<cli::column<int>> columns{
        {"number", [](const int& i) { return std::to_string(i); }},
        {"double", [](const int& i) { return std::to_string(2 * i); }}
    };
    const std::vector<cli::table_row> expected{{"number", "double"}, {"1", "2"}};
    BOOST_TEST((cli::table_of(std::vector{1}, columns) == expected));
    BOOST_TEST(cli::table_of(std::vector<int>(), columns).empty());
}

BOOST_AUTO_TEST_CASE(narrow_tables_lose_the_last_columns_and_then_the_beginnings_of_names)
{
    const std::vector<cli::table_row> whole{
        {"name", "first", "second", "third"},
        {"words.of.a.long.name.1", "1", "2", "3"}
    };
    const auto last_line = [&whole](std::size_t columns) {
        const auto lines = cli::table_lines(whole, columns);
        for (const std::string& line : lines)
            BOOST_TEST(line.size() <= columns);
        return lines.back();
    };
    BOOST_TEST(last_line(44) == "words.of.a.long.name.1      1       2      3");
    BOOST_TEST(last_line(43) == "...s.of.a.long.name.1      1       2      3");
    BOOST_TEST(last_line(34) == "...ng.name.1      1       2      3");
    BOOST_TEST(last_line(33) == "...f.a.long.name.1      1       2");
    BOOST_TEST(last_line(19) == "...ng.name.1      1");
    BOOST_TEST(last_line(18) == "...f.a.long.name.1");
}

BOOST_AUTO_TEST_CASE(text_is_wrapped_at_its_blanks)
{
    BOOST_TEST(cli::wrapped("one two three", 13) == "one two three");
    BOOST_TEST(cli::wrapped("one two three", 12) == "one two\nthree");
    BOOST_TEST(cli::wrapped("one two three", 7, 2) == "one two\n  three");
    BOOST_TEST(cli::wrapped("three one", 2) == "three\none");
    BOOST_TEST(cli::wrapped("单词 单词", 5) == "单词\n单词");
    BOOST_TEST(cli::wrapped("  indented", 4) == "  indented");
}

BOOST_AUTO_TEST_SUITE_END()
