// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/queue_runner_options.hpp>

#include <boost/test/unit_test.hpp>

#include <type_traits>

BOOST_AUTO_TEST_SUITE(queue_runner_options)

BOOST_AUTO_TEST_CASE(name_is_empty_unless_given)
{
    const sluice::queue_runner_options defaults;
    const sluice::queue_runner_options named{.name = "feeder"};

    BOOST_TEST(defaults.name == "");
    BOOST_TEST(named.name == "feeder");
    static_assert(std::is_aggregate_v<sluice::queue_runner_options>);
}

BOOST_AUTO_TEST_SUITE_END()
