// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/run_ending.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace cli = sluice::cli;
namespace metrics = sluice::metrics;
using namespace std::chrono_literals;

namespace run_ending {

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

}  // namespace run_ending

using namespace run_ending;

BOOST_AUTO_TEST_SUITE(run_ending)

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
        cli::describe_overdue(run, 2s) ==
        "3 workers of a (read), jq have not ended within 2s of the stop; raise "
        "\"stop_grace_period\" of the coordinator, or lower \"kill_after\" of a command"
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
