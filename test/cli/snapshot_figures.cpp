// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/snapshot_figures.hpp"

#include "sample_snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(snapshot_figures)

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
    sample.runners.push_back({.name = "stdin", .to = "lines", .running = 1});
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

BOOST_AUTO_TEST_CASE(shares_are_of_the_time_the_workers_have_run)
{
    const auto sample = sample_snapshot();
    const auto& split = sample.runners[1];
    BOOST_TEST((cli::worked_time(split) == 20s));
    BOOST_TEST(cli::share_of(split.busy, split) == 0.95);
    BOOST_TEST(cli::share_of(1s, {}) == 0.0);
}

BOOST_AUTO_TEST_CASE(items_are_what_a_runner_takes_and_what_a_source_gives)
{
    const auto sample = sample_snapshot();
    BOOST_TEST(cli::items_of(sample.runners[0]) == 12'128U);
    BOOST_TEST(cli::items_of(sample.runners[1]) == 12'000U);
}

BOOST_AUTO_TEST_SUITE_END()
