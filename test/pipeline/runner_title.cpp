// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/runner_title.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(runner_title)

BOOST_AUTO_TEST_CASE(runner_has_its_stage_behind_it_unless_it_is_called_so)
{
    using sluice::pipeline::runner_title;
    BOOST_TEST(runner_title("clean\n", "filter") == "clean\\n (filter)");
    BOOST_TEST(runner_title("filter", "filter") == "filter");
    BOOST_TEST(runner_title("filter_2", "filter") == "filter_2 (filter)");
}

BOOST_AUTO_TEST_SUITE_END()
