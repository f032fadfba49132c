// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "behaviour/options_in_coroutines.hpp"
#include "support/co_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(options_in_coroutines_optimized, sluice::test::io_fixture)

SLUICE_CO_TEST(queue_may_be_made_with_an_awaited_executor)
{
    co_await check_queues();
}

SLUICE_CO_TEST(coordinator_may_be_made_with_an_awaited_executor)
{
    co_await check_coordinator();
}

SLUICE_CO_TEST(scope_may_be_opened_with_options)
{
    co_await check_scope();
}

SLUICE_CO_TEST(bucketer_may_be_made_with_an_awaited_executor)
{
    co_await check_bucketer();
}

BOOST_AUTO_TEST_SUITE_END()
