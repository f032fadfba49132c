// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/version.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(version)

BOOST_AUTO_TEST_CASE(number_is_that_of_the_macros)
{
    BOOST_TEST(sluice::version.major == SLUICE_VERSION_MAJOR);
    BOOST_TEST(sluice::version.minor == SLUICE_VERSION_MINOR);
    BOOST_TEST(sluice::version.patch == SLUICE_VERSION_PATCH);
}

BOOST_AUTO_TEST_CASE(numbers_are_equal_if_all_parts_are)
{
    constexpr sluice::version_number number{1, 2, 3};
    static_assert(number == sluice::version_number{1, 2, 3});
    BOOST_TEST((number != sluice::version_number{0, 2, 3}));
    BOOST_TEST((number != sluice::version_number{1, 0, 3}));
    BOOST_TEST((number != sluice::version_number{1, 2, 0}));
}

BOOST_AUTO_TEST_SUITE_END()
