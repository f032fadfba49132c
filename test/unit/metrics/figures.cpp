// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/figures.hpp>

#include "support/sample_snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace metrics = sluice::metrics;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(figures)

BOOST_AUTO_TEST_CASE(shares_are_those_of_the_time_of_the_workers)
{
    const metrics::runner_snapshot split = sample_snapshot().runners[1];
    BOOST_TEST((time_of_workers(split) == 20s));
    BOOST_TEST(share_of_time(split.busy, split) == 0.95);
    BOOST_TEST(share_of_time(0s, metrics::runner_snapshot()) == 0.0);
}

BOOST_AUTO_TEST_CASE(progress_is_that_of_the_slowest_source)
{
    auto sample = sample_snapshot();
    BOOST_TEST(metrics::progress_of(sample).value() == 0.5);

    auto other = sample.runners[0];
    other.progress = 0.2;
    sample.runners.push_back(other);
    BOOST_TEST(metrics::progress_of(sample).value() == 0.2);
}

BOOST_AUTO_TEST_CASE(progress_is_unknown_if_one_source_does_not_know)
{
    auto sample = sample_snapshot();
    sample.runners.push_back({.name = "stdin", .to = {"lines"}, .running = 1});
    BOOST_TEST(!metrics::progress_of(sample).has_value());
    BOOST_TEST(!metrics::progress_of({}).has_value());
}

BOOST_AUTO_TEST_CASE(a_source_that_has_ended_has_read_everything)
{
    auto sample = sample_snapshot();
    sample.runners[0].running = 0;
    sample.runners[0].progress.reset();
    BOOST_TEST(metrics::progress_of(sample).value() == 1.0);
}

BOOST_AUTO_TEST_CASE(a_source_that_was_stopped_has_not_read_everything)
{
    auto sample = sample_snapshot();
    sample.runners[0].running = 0;
    sample.runners[0].progress = 0.1;
    sample.coordinators.push_back({.name = "tasks", .stop_requested = true});
    BOOST_TEST(metrics::progress_of(sample).value() == 0.1);
}

BOOST_AUTO_TEST_CASE(time_left_goes_on_as_before)
{
    auto sample = sample_snapshot();
    BOOST_TEST((metrics::time_left(sample) == 10s));
    sample.runners[0].progress = 0.25;
    BOOST_TEST((metrics::time_left(sample) == 30s));
}

BOOST_AUTO_TEST_CASE(time_left_is_unknown_at_the_beginning_and_after_an_interruption)
{
    auto sample = sample_snapshot();
    sample.runners[0].progress = 0.001;
    BOOST_TEST(!metrics::time_left(sample).has_value());

    sample = sample_snapshot();
    sample.state = metrics::run_state::draining;
    BOOST_TEST(!metrics::time_left(sample).has_value());
}

BOOST_AUTO_TEST_CASE(time_left_is_unknown_once_the_sources_have_read_everything)
{
    auto sample = sample_snapshot();
    sample.runners[0].progress = 1;
    BOOST_TEST(!metrics::time_left(sample).has_value());
}

// A source that has ended need not have read all.
BOOST_AUTO_TEST_CASE(progress_of_a_run_that_was_cut_short_stays_at_what_was_read)
{
    auto sample = sample_snapshot();
    sample.runners[0].running = 0;
    sample.runners[0].progress = 0.09;
    for (const auto state :
         {metrics::run_state::draining,
          metrics::run_state::drained,
          metrics::run_state::stopping,
          metrics::run_state::stopped,
          metrics::run_state::failed}) {
        sample.state = state;
        BOOST_TEST(metrics::progress_of(sample).value() == 0.09, to_string(state));
    }
    sample.state = metrics::run_state::done;
    BOOST_TEST(metrics::progress_of(sample).value() == 1.0);
}

BOOST_AUTO_TEST_CASE(elements_are_what_a_runner_takes_and_what_a_source_gives)
{
    const auto sample = sample_snapshot();
    BOOST_TEST(metrics::items_of(sample.runners[0]) == 12'128U);
    BOOST_TEST(metrics::items_of(sample.runners[1]) == 12'000U);
}

BOOST_AUTO_TEST_CASE(rates_are_what_was_added_between_two_snapshots)
{
    const auto before = sample_snapshot();
    auto now = before;
    now.elapsed += 2s;
    now.queues[0].stats.enqueued += 100;
    now.queues[1].stats.dequeued += 41;
    now.queues[1].stats.returned += 1;
    now.runners[1].items_in += 50;
    const metrics::rates rates = rates_between(before, now);
    BOOST_TEST(rates.queues.at(0).enqueued == 50.0);
    BOOST_TEST(rates.queues.at(0).dequeued == 0.0);
    BOOST_TEST(rates.queues.at(1).dequeued == 20.0);
    BOOST_TEST(rates.runners.at(0) == 0.0);
    BOOST_TEST(rates.runners.at(1) == 25.0);
}

BOOST_AUTO_TEST_CASE(rates_since_the_start_are_averages)
{
    const metrics::rates rates = rates_between({}, sample_snapshot());
    BOOST_TEST(rates.queues.at(0).enqueued == 1212.8);
    BOOST_TEST(rates.runners.at(1) == 1200.0);
}

BOOST_AUTO_TEST_CASE(rates_find_parts_that_moved_and_count_new_ones_from_zero)
{
    const auto before = sample_snapshot();
    auto now = before;
    now.elapsed += 1s;
    now.queues[1].stats.enqueued += 7;
    now.queues[0] = {.name = "new", .stats = {.enqueued = 3}};
    std::swap(now.queues[0], now.queues[1]);
    const metrics::rates rates = rates_between(before, now);
    BOOST_TEST(rates.queues.at(0).enqueued == 7.0);
    BOOST_TEST(rates.queues.at(1).enqueued == 3.0);
}

BOOST_AUTO_TEST_CASE(rates_find_parts_of_one_name_in_their_order)
{
    const auto queue = [](std::string name, std::uint64_t enqueued) {
        return metrics::queue_snapshot{
            .name = std::move(name),
            .stats = {.enqueued = enqueued}
        };
    };
    metrics::snapshot before;
    before.queues = {queue("x", 1000), queue("lines", 1000), queue("lines", 10)};
    metrics::snapshot now;
    now.elapsed = 1s;
    now.queues = {queue("lines", 1500), queue("lines", 20), queue("lines", 3)};
    const metrics::rates rates = rates_between(before, now);
    BOOST_TEST(rates.queues.at(0).enqueued == 500.0);
    BOOST_TEST(rates.queues.at(1).enqueued == 10.0);
    BOOST_TEST(rates.queues.at(2).enqueued == 3.0);
}

BOOST_AUTO_TEST_CASE(rates_are_zero_without_time_and_for_a_new_part_of_an_old_name)
{
    const auto before = sample_snapshot();
    BOOST_TEST(rates_between(before, before).queues.at(0).enqueued == 0.0);
    auto now = before;
    now.elapsed += 1s;
    now.queues[0].stats.enqueued = 5;
    BOOST_TEST(rates_between(before, now).queues.at(0).enqueued == 0.0);
}

BOOST_AUTO_TEST_CASE(figures_of_a_server_are_stale_when_it_has_been_silent_for_long)
{
    auto sample = sample_with_a_server();
    metrics::queue_snapshot& queue = sample.queues[0];
    BOOST_TEST(is_known(queue));
    BOOST_TEST(!is_stale(queue));
    queue.remote->read_ago = 6s;
    BOOST_TEST(is_stale(queue));
    queue.remote->read_ago = 1s;
    queue.remote->problem = "out of reach";
    BOOST_TEST(is_stale(queue));
    queue.remote = metrics::remote_figures();
    BOOST_TEST(!is_known(queue));
    BOOST_TEST(is_stale(queue));

    BOOST_TEST(is_known(sample.queues[1]));  // of this process
    BOOST_TEST(!is_stale(sample.queues[1]));
}

BOOST_AUTO_TEST_SUITE_END()
