// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/snapshot.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(snapshot)

BOOST_AUTO_TEST_CASE(states_have_names)
{
    using sluice::metrics::run_state;
    BOOST_TEST(to_string(run_state::ready) == std::string("ready"));
    BOOST_TEST(to_string(run_state::running) == std::string("running"));
    BOOST_TEST(to_string(run_state::draining) == std::string("draining"));
    BOOST_TEST(to_string(run_state::stopping) == std::string("stopping"));
    BOOST_TEST(to_string(run_state::done) == std::string("done"));
    BOOST_TEST(to_string(run_state::drained) == std::string("drained"));
    BOOST_TEST(to_string(run_state::stopped) == std::string("stopped"));
    BOOST_TEST(to_string(run_state::failed) == std::string("failed"));
}

BOOST_AUTO_TEST_CASE(activities_have_names)
{
    using sluice::metrics::activity;
    BOOST_TEST(to_string(activity::idle) == std::string("idle"));
    BOOST_TEST(to_string(activity::busy) == std::string("busy"));
    BOOST_TEST(
        to_string(activity::waiting_to_enqueue) == std::string("waiting to enqueue")
    );
    BOOST_TEST(
        to_string(activity::waiting_to_dequeue) == std::string("waiting to dequeue")
    );
    BOOST_TEST(to_string(activity::ready) == std::string("ready, no free thread"));
}

BOOST_AUTO_TEST_CASE(ends_of_a_run_are_its_last_states)
{
    using sluice::metrics::run_state;
    for (const auto state :
         {run_state::ready, run_state::running, run_state::draining, run_state::stopping})
        BOOST_TEST(!is_over(state), to_string(state));
    for (const auto state :
         {run_state::done, run_state::drained, run_state::stopped, run_state::failed})
        BOOST_TEST(is_over(state), to_string(state));
}

BOOST_AUTO_TEST_SUITE_END()
