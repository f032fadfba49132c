// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/core_parts.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>

using namespace sluice::detail;

BOOST_AUTO_TEST_SUITE(core_parts)

BOOST_AUTO_TEST_CASE(nothing_is_left_out)
{
    using parts = sluice::detail::core_parts;
    static_assert(
        parts::statistics && parts::budget && parts::take_back && parts::closing
    );
}

BOOST_AUTO_TEST_CASE(statistic_counts)
{
    statistic<std::uint64_t> count;
    BOOST_TEST(count == 0u);

    ++count;
    count += 4;

    BOOST_TEST(count == 5u);
}

BOOST_AUTO_TEST_CASE(statistic_is_raised_and_not_lowered)
{
    statistic<std::uint64_t> highest;

    highest.raise_to(7);
    highest.raise_to(3);

    BOOST_TEST(highest == 7u);
}

BOOST_AUTO_TEST_CASE(closed_flag_begins_open)
{
    closed_flag closed;
    BOOST_TEST(!closed);

    closed = true;

    BOOST_TEST(closed);
}

BOOST_AUTO_TEST_SUITE_END()
