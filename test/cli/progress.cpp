// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/report.hpp"
#include "pipe_pair.hpp"
#include "support/sample_snapshot.hpp"
#include "text/utf8.hpp"

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace cli = sluice::cli;

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(there_is_a_line_for_each_queue_each_runner_and_all)
{
    const std::vector<std::string> expected{
        "  queue      in     out  size  capacity  high water",
        "  lines  12,128  12,000   128       256         256",
        "  words  50,000  50,000     0        16           9",
        "  runner      in     out  busy  blocked on enqueue  blocked on dequeue",
        "  read         0  12,128  20 %                80 %                 0 %",
        "  split   12,000  50,000  95 %                 0 %                 5 %",
        "  count   50,000       0  40 %                 0 %                60 %",
        "word_count: running, 10.0 s [##########..........] 50 %, about 10.0 s left"
    };
    const auto lines = cli::display_lines(sample_snapshot(), {});
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_terminal)
{
    auto sample = sample_snapshot();
    sample.name = std::string(300, 'n');
    sample.queues[0].name = std::string(300, 'q') + "\n";
    const auto narrow = cli::display_lines(sample, {.columns = 40, .lines = 24});
    BOOST_TEST(narrow[1].find("12,128  12,000") != std::string::npos, narrow[1]);
    for (const std::size_t columns : {10U, 40U, 80U})
        for (const std::string& line :
             cli::display_lines(sample, {.columns = columns, .lines = 24}))
            BOOST_TEST(sluice::text::columns_of(line) <= columns);
}

BOOST_AUTO_TEST_CASE(a_narrow_terminal_has_a_short_bar_or_none)
{
    const auto total_of = [](std::size_t columns) {
        return cli::display_lines(sample_snapshot(), {.columns = columns, .lines = 24})
            .back();
    };
    BOOST_TEST(
        total_of(60) == "word_count: running, 10.0 s [###...] 50 %, about 10.0 s left"
    );
    BOOST_TEST(total_of(58) == "word_count: running, 10.0 s 50 %, about 10.0 s left");
}

BOOST_AUTO_TEST_CASE(a_low_terminal_shows_what_fits_and_always_the_total)
{
    const auto sample = sample_snapshot();
    for (const std::size_t height : {0U, 1U, 2U, 4U, 100U}) {
        const auto lines = cli::display_lines(sample, {.columns = 80, .lines = height});
        BOOST_TEST(lines.size() == (height <= 2 ? 1U : height == 4 ? 3U : 8U));
        BOOST_TEST(lines.back().starts_with("word_count: running"));
    }
}

BOOST_AUTO_TEST_CASE(lines_of_a_slow_reader_are_whole_or_left_out)
{
    auto sample = sample_snapshot();
    sample.queues.resize(
        60,
        sample.queues[0]
    );  // a line is longer than a pipe takes at once
    const pipe_pair pipe;
    sluice::pipeline::memory_output results;
    cli::progress progress("json", pipe.input(), results);
    for (int i = 0; i < 10; ++i)  // more than the pipe holds
        progress.show(sample);
    std::string printed = pipe.read_all();
    progress.show(sample);
    progress.show(sample);
    printed += pipe.read_all();

    std::istringstream lines(printed);
    int whole = 0;
    for (std::string line; std::getline(lines, line); ++whole)
        BOOST_TEST(nlohmann::json::accept(line));
    BOOST_TEST(whole > 1);
}

BOOST_AUTO_TEST_SUITE_END()
