// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/report.hpp"

#include "support/sample_snapshot.hpp"
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace cli = sluice::cli;
namespace metrics = sluice::metrics;
using namespace std::chrono_literals;

namespace report {

sluice::metrics::snapshot finished_snapshot()
{
    auto sample = sample_snapshot();
    sample.state = sluice::metrics::run_state::done;
    return sample;
}

using lines = std::vector<std::string>;

metrics::queue_snapshot queue_with(const std::string& name, const std::string& problem)
{
    return {.name = name, .remote = metrics::remote_figures{.problem = problem}};
}

// One whose server has given figures.
metrics::queue_snapshot known_queue(const std::string& name)
{
    return {.name = name, .remote = metrics::remote_figures{.read_ago = 1s}};
}

metrics::snapshot run_of(std::vector<metrics::queue_snapshot> queues)
{
    metrics::snapshot run;
    run.queues = std::move(queues);
    return run;
}

}  // namespace report

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(the_text_has_totals_waits_shares_and_the_bottleneck)
{
    const auto snapshot = finished_snapshot();
    const std::string expected = R"(word_count: done after 10.0 s
  queue      in     out  size  capacity  high water
  lines  12,128  12,000   128       256         256
  words  50,000  50,000     0        16           9
  runner      in     out  busy  blocked on enqueue  blocked on dequeue  no free thread  workers        stage
  read         0  12,128  20 %                80 %                 0 %             0 %        1         read
  split   12,000  50,000  95 %                 0 %                 5 %             0 %        2  split_words
  count   50,000       0  40 %                 0 %                60 %             0 %        1        count
)" + describe_bottleneck(snapshot) +
                                 "\n";
    BOOST_TEST(cli::report_text(snapshot, {}) == expected);
}

BOOST_AUTO_TEST_CASE(capacity_in_bytes_is_shown_as_such)
{
    auto snapshot = finished_snapshot();
    snapshot.queues[1].stats.capacity = sluice::unbounded;
    snapshot.queues[1].stats.weight_limit = 64 << 20;
    snapshot.queues[1].stats.weight = 5;
    const std::string text = cli::report_text(snapshot, {});
    BOOST_TEST(
        (text.find("\n  words  50,000  50,000     0    64 MiB           9\n") !=
         std::string::npos),
        text
    );
    const auto queues = cli::report_json(snapshot, {}).at("queues");
    BOOST_TEST(queues[1].at("capacity").is_null());
    BOOST_TEST(queues[1].at("memory") == 64 << 20);
    BOOST_TEST(queues[1].at("bytes") == 5);
    BOOST_TEST(queues[0].at("capacity") == 256);
}

BOOST_AUTO_TEST_CASE(dropped_elements_are_counted_where_there_are_any)
{
    auto snapshot = finished_snapshot();
    BOOST_TEST(cli::report_json(snapshot, {}).at("queues")[0].at("dropped") == 0);
    snapshot.queues[1].stats.dropped = 1'203;
    const std::string text = cli::report_text(snapshot, {});
    BOOST_TEST(
        text.find("\nwords has dropped 1,203 elements\n") != std::string::npos,
        text
    );
    BOOST_TEST(cli::report_json(snapshot, {}).at("queues")[1].at("dropped") == 1'203);
}

BOOST_AUTO_TEST_CASE(tables_fit_into_a_narrow_terminal)
{
    for (const std::size_t columns : {40U, 80U}) {
        const std::string text = cli::report_text(finished_snapshot(), {}, columns);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("  "))
                BOOST_TEST(line.size() <= columns, line);
        BOOST_TEST(text.find("50,000  50,000") != std::string::npos, text);
    }
}

BOOST_AUTO_TEST_CASE(queues_on_a_server_have_a_line_of_their_own)
{
    auto snapshot = sample_with_a_server();
    const auto expect = [&snapshot](const std::string& line) {
        const std::string text = cli::report_text(snapshot, {});
        BOOST_TEST(text.find("\n" + line + "\n") != std::string::npos, text);
    };
    expect(
        "lines on its server: 128 elements, 16 pending, 5 redelivered, 3 dead, 1 lost; "
        "read 0.25 s ago"
    );
    snapshot.queues[0].remote->lost = 0;
    snapshot.queues[0].remote->warning = "may evict";
    expect("lines on its server: 128 elements, 16 pending, 5 redelivered, 3 dead; "
           "read 0.25 s ago");
    expect("warning about the queue \"lines\": may evict");
    snapshot.queues[0].remote->problem = "out of reach";
    expect("lines on its server: 128 elements, 16 pending, 5 redelivered, 3 dead; "
           "read 0.25 s ago: out of reach");
}

BOOST_AUTO_TEST_CASE(the_text_says_how_the_run_ended)
{
    auto snapshot = finished_snapshot();
    const auto first_line = [&snapshot](cli::run_end end) {
        const cli::run_outcome outcome{.end = end, .error = {}};
        snapshot.state = outcome.state();
        const auto text = cli::report_text(snapshot, outcome);
        return text.substr(0, text.find('\n'));
    };
    snapshot.runners[0].running = 0;
    snapshot.runners[0].progress = 0.09;
    const std::string read = " after 10.0 s, 9 % of the input read";
    BOOST_TEST(first_line(cli::run_end::done) == "word_count: done after 10.0 s");
    BOOST_TEST(first_line(cli::run_end::failed) == "word_count: failed" + read);
    BOOST_TEST(first_line(cli::run_end::timed_out) == "word_count: timed out" + read);
    BOOST_TEST(
        first_line(cli::run_end::drained) == "word_count: interrupted and drained" + read
    );
    BOOST_TEST(
        first_line(cli::run_end::stopped) == "word_count: interrupted and stopped" + read
    );
    snapshot.runners[0].progress.reset();
    BOOST_TEST(
        first_line(cli::run_end::drained) ==
        "word_count: interrupted and drained after 10.0 s"
    );
}

BOOST_AUTO_TEST_CASE(bottleneck_is_named_only_where_it_helps)
{
    auto snapshot = finished_snapshot();
    const auto bottleneck = [&snapshot](cli::run_end end) {
        return cli::report_json(snapshot, {.end = end, .error = {}}).at("bottleneck");
    };
    BOOST_TEST(bottleneck(cli::run_end::done) == describe_bottleneck(snapshot));
    BOOST_TEST(bottleneck(cli::run_end::drained) == describe_bottleneck(snapshot));
    BOOST_TEST(bottleneck(cli::run_end::failed) == "");
    BOOST_TEST(bottleneck(cli::run_end::timed_out) == "");
    BOOST_TEST(bottleneck(cli::run_end::stopped) == "");
    snapshot.elapsed = std::chrono::milliseconds(999);
    BOOST_TEST(bottleneck(cli::run_end::done) == "");
}

BOOST_AUTO_TEST_CASE(what_was_left_out_is_counted_with_the_first_reasons)
{
    auto snapshot = finished_snapshot();
    snapshot.runners[1].skipped = 1'203;
    snapshot.runners[1].first_errors = {"this", "that"};
    const std::string text = cli::report_text(snapshot, {});
    const std::string expected = "\nsplit (split_words) left out 1,203 that could not be "
                                 "processed, the first because:\n"
                                 "  this\n"
                                 "  that\n";
    BOOST_TEST((text.find(expected) != std::string::npos), text);
    const auto runners = cli::report_json(snapshot, {}).at("runners");
    BOOST_TEST(runners[1].at("skipped") == 1'203);
    BOOST_TEST(runners[1].at("first_errors").size() == 2U);
    BOOST_TEST(!runners[0].contains("skipped"));
}

BOOST_AUTO_TEST_CASE(partial_result_of_a_drained_run_is_named)
{
    auto snapshot = finished_snapshot();
    snapshot.runners[2].partial_result = "out.txt.partial";
    const cli::run_outcome drained{.end = cli::run_end::drained, .error = {}};
    const std::string text = cli::report_text(snapshot, drained);
    const std::string expected =
        "\ncount has written the part that is complete to out.txt.partial\n";
    BOOST_TEST((text.find(expected) != std::string::npos), text);
    const auto runners = cli::report_json(snapshot, drained).at("runners");
    BOOST_TEST(runners[2].at("partial_result") == "out.txt.partial");
    BOOST_TEST(!runners[1].contains("partial_result"));
}

BOOST_AUTO_TEST_CASE(each_end_has_its_exit_status)
{
    const auto status_of = [](cli::run_end end) {
        return static_cast<int>(cli::run_outcome{.end = end, .error = {}}.status());
    };
    BOOST_TEST(status_of(cli::run_end::done) == 0);
    BOOST_TEST(status_of(cli::run_end::failed) == 1);
    BOOST_TEST(status_of(cli::run_end::timed_out) == 1);
    BOOST_TEST(status_of(cli::run_end::drained) == 130);
    BOOST_TEST(status_of(cli::run_end::stopped) == 130);
}

BOOST_AUTO_TEST_CASE(the_json_has_the_same_and_the_error)
{
    const auto report = cli::report_json(
        finished_snapshot(),
        {.end = cli::run_end::failed, .error = "cannot read x"}
    );
    BOOST_TEST(report["name"] == "word_count");
    BOOST_TEST(report["outcome"] == "failed");
    BOOST_TEST(report["exit_status"] == 1);
    BOOST_TEST(report["error"] == "cannot read x");
    BOOST_TEST(report["elapsed_seconds"] == 10.0);
    BOOST_TEST(report["queues"][0]["waits_to_enqueue"] == 118);
    BOOST_TEST(report["queues"][1]["dequeued"] == 50'000);
    BOOST_TEST(report["runners"][1]["busy_seconds"] == 19.0);
    BOOST_TEST(report["runners"][0]["from"].is_null());
    BOOST_TEST(report["bottleneck"] == "");
}

BOOST_AUTO_TEST_CASE(the_json_of_a_good_run_has_no_error)
{
    const auto report = cli::report_json(finished_snapshot(), {});
    BOOST_TEST(!report.contains("error"));
    BOOST_TEST(!report["bottleneck"].get<std::string>().empty());
}

BOOST_AUTO_TEST_CASE(what_could_not_be_written_is_a_failure_of_a_run_without_one)
{
    const cli::run_outcome done{.unwritten = {"no metrics", "no trace"}};
    BOOST_TEST(static_cast<int>(done.status()) == 1);
    auto json = cli::report_json(finished_snapshot(), done);
    BOOST_TEST(json.at("exit_status") == 1);
    BOOST_TEST(json.at("error") == "no metrics");

    const cli::run_outcome failed{
        .end = cli::run_end::failed,
        .error = "a stage",
        .unwritten = {"no metrics"}
    };
    json = cli::report_json(finished_snapshot(), failed);
    BOOST_TEST(json.at("error") == "a stage");

    const cli::run_outcome drained{
        .end = cli::run_end::drained,
        .unwritten = {"no metrics"}
    };
    BOOST_TEST(static_cast<int>(drained.status()) == 130);
}

BOOST_AUTO_TEST_CASE(outage_is_news_once_until_the_server_is_back)
{
    const auto out = run_of({queue_with("a", "refused")});
    const auto well = run_of({queue_with("a", "")});
    const lines expected{"waiting for the server of the queue \"a\": refused"};
    cli::server_outages outages;
    BOOST_TEST(outages.news(well) == lines());
    BOOST_TEST(outages.news(out) == expected);
    BOOST_TEST(outages.news(out) == lines());
    BOOST_TEST(outages.news(run_of({queue_with("a", "no answer")})) == lines());
    BOOST_TEST(outages.news(well) == lines());
    BOOST_TEST(outages.news(out) == expected);
}

BOOST_AUTO_TEST_CASE(warning_is_told_once_for_each_text_and_queue)
{
    const auto warns = [](const std::string& name, const std::string& warning) {
        return metrics::queue_snapshot{
            .name = name,
            .remote = metrics::remote_figures{.warning = warning}
        };
    };
    cli::server_outages outages;
    const lines both{
        "warning about the queue \"a\": may evict",
        "warning about the queue \"b\": may evict"
    };
    BOOST_TEST(outages.news(run_of({known_queue("a")})) == lines());
    const auto run = run_of({warns("a", "may evict"), warns("b", "may evict")});
    BOOST_TEST(outages.news(run) == both);
    BOOST_TEST(outages.news(run) == lines());
    const lines other{"warning about the queue \"b\": has lost 2"};
    BOOST_TEST(outages.news(run_of({warns("b", "has lost 2")})) == other);
}

BOOST_AUTO_TEST_CASE(losses_of_all_queues_are_one_sentence)
{
    const auto lost = [](const std::string& name, std::uint64_t count) {
        return metrics::queue_snapshot{
            .name = name,
            .remote = metrics::remote_figures{.lost = count}
        };
    };
    BOOST_TEST(cli::describe_losses(run_of({known_queue("a")})) == "");
    BOOST_TEST(
        cli::describe_losses(run_of({lost("a", 1234), lost("b", 0), lost("c", 1)})) ==
        "the server has lost 1234 elements of the queue \"a\"; "
        "the server has lost 1 element of the queue \"c\""
    );
}

BOOST_AUTO_TEST_CASE(workers_that_have_not_ended_are_counted_with_their_runners)
{
    metrics::snapshot run;
    run.runners = {
        {.name = "a", .stage = "read", .running = 2},
        {.name = "b", .stage = "count"},
        {.name = "jq", .stage = "jq", .running = 1}
    };
    BOOST_TEST(
        cli::describe_overdue(run, 2s) == "3 workers of a (read), jq have not ended "
                                          "within 2s of the stop; see what reads the "
                                          "output, lower \"kill_after\" of a command, or "
                                          "raise \"stop_grace_period\" of the "
                                          "coordinator"
    );
    BOOST_TEST(cli::describe_overdue({}, 2s) == "");
}

BOOST_AUTO_TEST_CASE(each_queue_out_of_reach_is_named_with_the_reason)
{
    const auto run = run_of(
        {queue_with("a", "x: refused"),
         known_queue("b"),
         {.name = "local"},
         queue_with("c\n", "y: refused")}
    );
    const lines expected{
        R"(waiting for the server of the queue "a": x: refused)",
        R"(waiting for the server of the queue "c\n": y: refused)"
    };
    BOOST_TEST(cli::server_outages().news(run) == expected);
}

BOOST_AUTO_TEST_CASE(server_that_has_not_answered_is_no_news)
{
    const auto run = run_of({queue_with("a", ""), known_queue("b")});
    BOOST_TEST(cli::server_outages().news(run) == lines());
}

BOOST_AUTO_TEST_CASE(server_is_heard_once_it_has_given_figures)
{
    auto run = run_of(
        {{.name = "local"}, queue_with("a", ""), queue_with("b\n", "refused")}
    );
    BOOST_TEST(
        cli::describe_unheard(run) == R"(the server of "a", "b\n" has never answered)"
    );
    run.queues[1].remote->read_ago = 1s;
    BOOST_TEST(cli::describe_unheard(run) == R"(the server of "b\n" has never answered)");
    run.queues[2].remote->read_ago = 1s;
    BOOST_TEST(cli::describe_unheard(run) == "");
}

BOOST_AUTO_TEST_SUITE_END()
