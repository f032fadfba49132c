// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/snapshot_json.hpp"

#include "sample_snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cli = sluice::cli;

BOOST_AUTO_TEST_SUITE(snapshot_json)

BOOST_AUTO_TEST_CASE(a_running_pipeline_has_progress_and_time_left)
{
    const auto json = cli::to_json(sample_snapshot());
    BOOST_TEST(json["state"] == "running");
    BOOST_TEST(json["progress"] == 0.5);
    BOOST_TEST(json["seconds_left"] == 10.0);
    BOOST_TEST(json["queues"][0]["type"] == "fifo");
    BOOST_TEST(json["queues"][0]["size"] == 128);
    BOOST_TEST(json["runners"][0]["waiting_to_put"] == 1);
    BOOST_TEST(!json["runners"][1].contains("progress"));
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
