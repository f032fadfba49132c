// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "behaviour/options_in_coroutines.hpp"

#include "support/co_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(options_in_coroutines, sluice::test::io_fixture)

SLUICE_CO_TEST(queue_may_be_made_with_an_awaited_executor)
{
    BOOST_TEST(co_await unnamed_queue() == "queue1");
    BOOST_TEST(co_await named_queue() == "out2");
    BOOST_TEST(
        co_await queue_of_a_computed_name("q") ==
        "q, which is longer than a short string3"
    );
    BOOST_TEST(co_await queue_with_more_options() == "examples4");
}

SLUICE_CO_TEST(coordinator_may_be_made_with_an_awaited_executor)
{
    BOOST_TEST(co_await coordinator_with_a_grace_period() == "joined");
}

BOOST_AUTO_TEST_SUITE_END()
