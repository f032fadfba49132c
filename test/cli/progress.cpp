// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/progress.hpp"

#include "pipe_pair.hpp"
#include "support/sample_snapshot.hpp"
#include "text/utf8.hpp"
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(there_is_a_line_for_each_queue_each_runner_and_all)
{
    const std::vector<std::string> expected{
        "  lines  [##########..........]  128/256   1.20 k/s  1 waiting to enqueue",
        "  words  [....................]     0/16   5.00 k/s  1 waiting to dequeue",
        "  read   12,128   1.21 k/s  1 waiting for room",
        "  split  12,000   1.20 k/s  2 busy",
        "  count  50,000   5.00 k/s  1 waiting for input",
        "word_count: running, 10.0 s, 50 %, about 10.0 s left"
    };
    const auto lines = cli::display_lines(sample_snapshot(), {}, {});
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rates_are_since_the_earlier_snapshot)
{
    const auto before = sample_snapshot();
    auto now = before;
    now.elapsed += 500ms;
    now.queues[0].stats.dequeued += 100;
    now.runners[0].items_out += 50;
    const auto lines = cli::display_lines(now, before, {});
    BOOST_TEST(lines[0].find(" 200/s ") != std::string::npos);
    BOOST_TEST(lines[1].find(" 0/s ") != std::string::npos);
    BOOST_TEST(lines[2].find(" 100/s ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_time_between_two_snapshots_gives_no_rate)
{
    const auto now = sample_snapshot();
    BOOST_TEST(cli::display_lines(now, now, {})[0].find(" 0/s ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bars_show_a_single_element_and_stay_in_bounds)
{
    auto sample = sample_snapshot();
    sample.queues[0].stats.size = 1;
    sample.queues[1].stats.size = 40;  // a batch may exceed the capacity
    const auto lines = cli::display_lines(sample, {}, {});
    BOOST_TEST(lines[0].find("[#...................]") != std::string::npos);
    BOOST_TEST(lines[1].find("[####################]") != std::string::npos);

    sample.queues[1].stats.capacity = 0;  // a rendezvous
    sample.queues[1].stats.size = 0;
    BOOST_TEST(cli::display_lines(sample, {}, {})[1].find("0/0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(queue_shows_bytes_where_they_are_what_fills_it)
{
    auto sample = sample_snapshot();
    sample.queues[0].stats.weight = 3 << 20;
    sample.queues[0].stats.weight_limit = 4 << 20;
    sample.queues[1].stats.capacity = sluice::unbounded;
    sample.queues[1].stats.weight_limit = 64 << 20;
    const auto lines = cli::display_lines(sample, {}, {});
    BOOST_TEST(lines[0].starts_with("  lines  [###############.....]  3.0 MiB/4 MiB "));
    BOOST_TEST(lines[1].starts_with("  words  [....................]     0 B/64 MiB "));
    sample.queues[0].stats.weight_limit = 64 << 20;
    BOOST_TEST(
        cli::display_lines(sample, {}, {})[0].find("128/256") != std::string::npos
    );
}

BOOST_AUTO_TEST_CASE(the_end_of_queues_and_runners_is_seen)
{
    auto sample = sample_snapshot();
    sample.queues[0].stats.closed = true;
    sample.runners[0].running = 0;
    const auto lines = cli::display_lines(sample, {}, {.columns = 100, .lines = 24});
    BOOST_TEST(lines[0].ends_with("closed, 1 waiting to enqueue"));
    BOOST_TEST(lines[2].ends_with("ended"));
}

BOOST_AUTO_TEST_CASE(dropped_elements_are_shown_where_there_are_any)
{
    auto sample = sample_snapshot();
    sample.queues[0].stats.closed = true;
    sample.queues[0].stats.dropped = 1'203;
    const auto lines = cli::display_lines(sample, {}, {.columns = 100, .lines = 24});
    BOOST_TEST(lines[0].ends_with("closed, 1 waiting to enqueue, 1,203 dropped"));
    BOOST_TEST(lines[1].ends_with("1 waiting to dequeue"));
}

BOOST_AUTO_TEST_CASE(queue_on_a_server_shows_what_is_pending_and_when_it_was_read)
{
    auto sample = sample_with_a_server();
    const auto first_line = [&sample] {
        return cli::display_lines(sample, {}, {.columns = 200}).front();
    };
    BOOST_TEST(first_line().ends_with("  1 waiting to enqueue, 16 pending, 3 dead"));
    sample.queues[0].remote->read_ago = 70s;
    BOOST_TEST(first_line().ends_with(", 3 dead, read 1 min 10 s ago"));
    sample.queues[0].remote = sluice::metrics::remote_figures();
    BOOST_TEST(first_line().ends_with(", read never"));
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_terminal)
{
    auto sample = sample_snapshot();
    sample.name = std::string(300, 'n');
    sample.queues[0].name = std::string(300, 'q') + "\n";
    const auto narrow = cli::display_lines(sample, {}, {.columns = 40, .lines = 24});
    BOOST_TEST(narrow[0].find("128/256   1.20 k/s") != std::string::npos, narrow[0]);
    for (const std::size_t columns : {10U, 40U, 80U})
        for (const std::string& line :
             cli::display_lines(sample, {}, {.columns = columns, .lines = 24}))
            BOOST_TEST(sluice::text::columns_of(line) <= columns);
}

BOOST_AUTO_TEST_CASE(a_low_terminal_shows_what_fits_and_always_the_total)
{
    const auto sample = sample_snapshot();
    for (const std::size_t height : {0U, 1U, 2U, 4U, 100U}) {
        const auto lines =
            cli::display_lines(sample, {}, {.columns = 80, .lines = height});
        BOOST_TEST(lines.size() == (height <= 2 ? 1U : height == 4 ? 3U : 6U));
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
    cli::progress progress(cli::progress_mode::json, pipe.input());
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
