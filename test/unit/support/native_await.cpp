// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/native_await.hpp"

#include <boost/test/unit_test.hpp>

namespace test = sluice::test;

BOOST_AUTO_TEST_SUITE(native_await)

BOOST_TEST_DECORATOR(*test::native_await_only("so it says"))
BOOST_AUTO_TEST_CASE(decorated_case_runs_only_where_awaiting_is_native)
{
    BOOST_TEST(test::native_await);
}

BOOST_AUTO_TEST_SUITE_END()
