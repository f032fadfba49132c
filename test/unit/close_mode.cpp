// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/close_mode.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(close_mode)

BOOST_AUTO_TEST_CASE(value_initialised_mode_is_the_one_that_lets_producers_finish)
{
    BOOST_TEST((sluice::close_mode{} == sluice::close_mode::drain));
    BOOST_TEST((sluice::close_mode{} != sluice::close_mode::cancel_pending));
}

BOOST_AUTO_TEST_SUITE_END()
