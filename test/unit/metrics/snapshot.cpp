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
}

BOOST_AUTO_TEST_SUITE_END()
