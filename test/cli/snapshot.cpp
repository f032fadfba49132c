// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/snapshot.hpp"

#include "sample_snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(snapshot)

BOOST_AUTO_TEST_CASE(progress_is_that_of_the_slowest_source)
{
    auto sample = sample_snapshot();
    BOOST_TEST(cli::progress_of(sample).value() == 0.5);

    auto other = sample.runners[0];
    other.progress = 0.2;
    sample.runners.push_back(other);
    BOOST_TEST(cli::progress_of(sample).value() == 0.2);
}

BOOST_AUTO_TEST_CASE(progress_is_unknown_if_one_source_does_not_know)
{
    auto sample = sample_snapshot();
    sample.runners.push_back({.name = "stdin", .to = {"lines"}, .running = 1});
    BOOST_TEST(!cli::progress_of(sample).has_value());
    BOOST_TEST(!cli::progress_of({}).has_value());
}

BOOST_AUTO_TEST_CASE(a_source_that_has_ended_has_read_everything)
{
    auto sample = sample_snapshot();
    sample.runners[0].running = 0;
    sample.runners[0].progress.reset();
    BOOST_TEST(cli::progress_of(sample).value() == 1.0);
}

BOOST_AUTO_TEST_CASE(time_left_goes_on_as_before)
{
    auto sample = sample_snapshot();
    BOOST_TEST((cli::time_left(sample) == 10s));
    sample.runners[0].progress = 0.25;
    BOOST_TEST((cli::time_left(sample) == 30s));
}

BOOST_AUTO_TEST_CASE(time_left_is_unknown_at_the_beginning_and_after_an_interruption)
{
    auto sample = sample_snapshot();
    sample.runners[0].progress = 0.001;
    BOOST_TEST(!cli::time_left(sample).has_value());

    sample = sample_snapshot();
    sample.state = sluice::pipeline::run_state::draining;
    BOOST_TEST(!cli::time_left(sample).has_value());
}

BOOST_AUTO_TEST_CASE(items_are_what_a_runner_takes_and_what_a_source_gives)
{
    const auto sample = sample_snapshot();
    BOOST_TEST(cli::items_of(sample.runners[0]) == 12'128U);
    BOOST_TEST(cli::items_of(sample.runners[1]) == 12'000U);
}

BOOST_AUTO_TEST_CASE(a_running_pipeline_has_progress_and_time_left)
{
    const auto json = cli::to_json(sample_snapshot());
    BOOST_TEST(json["state"] == "running");
    BOOST_TEST(json["progress"] == 0.5);
    BOOST_TEST(json["seconds_left"] == 10.0);
    BOOST_TEST(json["queues"][0]["type"] == "fifo");
    BOOST_TEST(json["queues"][0]["size"] == 128);
    BOOST_TEST(json["runners"][0]["waiting_to_enqueue"] == 1);
    BOOST_TEST(!json["runners"][1].contains("progress"));
}

BOOST_AUTO_TEST_CASE(queues_of_a_runner_are_one_name_or_several)
{
    auto sample = sample_snapshot();
    sample.runners[0].to.push_back("words");
    const auto runners = cli::to_json(sample)["runners"];
    BOOST_TEST(runners[0]["to"] == nlohmann::ordered_json::array({"lines", "words"}));
    BOOST_TEST(runners[1]["to"] == "words");
    BOOST_TEST(runners[2]["to"].is_null());
}

BOOST_AUTO_TEST_CASE(an_empty_pipeline_has_empty_lists)
{
    const auto json = cli::to_json(sluice::pipeline::pipeline_snapshot{});
    BOOST_TEST(json["queues"].is_array());
    BOOST_TEST(json["runners"].empty());
    BOOST_TEST(!json.contains("progress"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_make_no_wrong_json)
{
    auto sample = sample_snapshot();
    sample.name = "a\xFF\n";
    const std::string line = cli::to_line(cli::to_json(sample));
    BOOST_TEST(line.find('\n') == line.size() - 1);
    BOOST_TEST(nlohmann::json::accept(line));
}

BOOST_AUTO_TEST_SUITE_END()
