// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/terminal.hpp"

#include "pipe_pair.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>

namespace cli = sluice::cli;

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(a_pipe_is_no_terminal_and_has_the_usual_size)
{
    const pipe_pair pipe;
    BOOST_TEST(!cli::is_terminal(pipe.input()));
    BOOST_TEST(cli::size_of_terminal(pipe.input()).columns == 80U);
    BOOST_TEST(cli::size_of_terminal(pipe.input()).lines == 24U);
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
