// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/error_code.hpp>

#include "support/printing.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <type_traits>

BOOST_AUTO_TEST_SUITE(error_code)

BOOST_AUTO_TEST_CASE(names_are_those_of_boost_system)
{
    static_assert(std::is_same_v<sluice::error_code, boost::system::error_code>);
    static_assert(std::
                      is_same_v<sluice::error_condition, boost::system::error_condition>);
    static_assert(std::is_same_v<sluice::error_category, boost::system::error_category>);
    static_assert(std::is_same_v<sluice::system_error, boost::system::system_error>);

    // so that what Asio gives needs no conversion
    const sluice::error_code code = boost::asio::error::operation_aborted;
    BOOST_TEST(code == boost::asio::error::operation_aborted);
    BOOST_TEST(sluice::system_error(code).code() == code);
}

BOOST_AUTO_TEST_SUITE_END()
