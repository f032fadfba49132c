// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/terminal.hpp"

#include "pipe_pair.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(a_pipe_is_no_terminal_and_has_the_usual_size)
{
    const pipe_pair pipe;
    BOOST_TEST(!cli::is_terminal(pipe.input()));
    BOOST_TEST(cli::size_of_terminal(pipe.input()).columns == 80U);
    BOOST_TEST(cli::size_of_terminal(pipe.input()).lines == 24U);
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

BOOST_AUTO_TEST_CASE(cut_to_end_marks_what_is_left_out)
{
    BOOST_TEST(cli::cut_to_end("abcdef", 6) == "abcdef");
    BOOST_TEST(cli::cut_to_end("abcdef", 5) == "...ef");
    BOOST_TEST(cli::cut_to_end("abcdef", 0) == "...");
    BOOST_TEST(cli::cut_to_end("a\x1B\ndäö", 6) == "...däö");
    BOOST_TEST(cli::cut_to_end("a\x1B[Ab\n\x7F", 20) == "a\\x1b[Ab\\n\\x7f");
    BOOST_TEST(cli::cut_to_end("单词单", 5) == "...单");
    BOOST_TEST(cli::cut_to_end("单词单", 4) == "...");
}

BOOST_AUTO_TEST_CASE(names_are_aligned_to_the_left_and_figures_to_the_right)
{
    const std::vector<std::string> expected{" name      n", " x     1,000"};
    BOOST_TEST(
        cli::table_lines({{"name", "n"}, {"x", "1,000"}}, 80, 1) == expected,
        boost::test_tools::per_element()
    );
    BOOST_TEST(cli::table_lines({}).empty());
    BOOST_TEST(cli::table_lines({{"name", "n"}}).empty());
}

BOOST_AUTO_TEST_CASE(tables_know_that_some_characters_are_wide)
{
    const std::vector<std::string> expected{"单词  1", "ä     2", "word  3"};
    BOOST_TEST(
        cli::table_lines({{"单词", "1"}, {"ä", "2"}, {"word", "3"}}) == expected,
        boost::test_tools::per_element()
    );
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

BOOST_AUTO_TEST_CASE(lines_are_drawn_over_the_earlier_ones_and_erased)
{
    const pipe_pair pipe;
    sluice::pipeline::memory_output data;
    cli::terminal_lines lines(pipe.input(), data);
    lines.draw({"a", "b"});
    BOOST_TEST(pipe.read() == "\ra\x1B[K\n\rb\x1B[K\n\x1B[J");
    lines.draw({"c"});
    BOOST_TEST(pipe.read() == "\x1B[2A\rc\x1B[K\n\x1B[J");
    lines.erase();
    BOOST_TEST(pipe.read() == "\r\x1B[1A\x1B[J");
    lines.erase();
    BOOST_TEST(pipe.read().empty());
}

BOOST_AUTO_TEST_CASE(data_takes_the_place_of_the_lines)
{
    const pipe_pair pipe;
    sluice::pipeline::memory_output data;
    cli::terminal_lines lines(pipe.input(), data);
    lines.draw({"a"});
    (void)pipe.read();

    lines.write("result\n");
    BOOST_TEST(data.text() == "result\n");
    BOOST_TEST(pipe.read() == "\r\x1B[1A\x1B[J");
    lines.draw({"a"});
    BOOST_TEST(pipe.read() == "\ra\x1B[K\n\x1B[J");
}

BOOST_AUTO_TEST_CASE(nothing_is_drawn_into_an_unfinished_line_of_data)
{
    const pipe_pair pipe;
    sluice::pipeline::memory_output data;
    cli::terminal_lines lines(pipe.input(), data);
    lines.write("res");
    lines.draw({"a"});
    BOOST_TEST(pipe.read().empty());
    lines.write("ult\n");
    lines.draw({"a"});
    BOOST_TEST(!pipe.read().empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_drawn_while_data_is_being_written)
{
    // draws from another thread, as the display does, in the middle of a write
    struct drawing_output final : sluice::pipeline::output
    {
        void write(std::string_view) override
        {
            std::thread([this] { lines->draw({"a"}); }).join();
        }
        cli::terminal_lines* lines = nullptr;
    } data;
    const pipe_pair pipe;
    cli::terminal_lines lines(pipe.input(), data);
    data.lines = &lines;

    lines.write("x\n");
    BOOST_TEST(pipe.read().empty());
}

BOOST_AUTO_TEST_CASE(a_closed_terminal_is_ignored)
{
    cli::write_best_effort(-1, "this is not read");
}

BOOST_AUTO_TEST_SUITE_END()
