// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/counted.hpp"

#include "support/check.hpp"
#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace test = sluice::test;

static_assert(!std::is_default_constructible_v<test::counted>);
static_assert(!std::is_copy_constructible_v<test::counted>);
static_assert(std::is_nothrow_move_constructible_v<test::counted>);
static_assert(std::is_nothrow_move_assignable_v<test::counted>);

BOOST_FIXTURE_TEST_SUITE(counted, test::counted_fixture)

BOOST_AUTO_TEST_CASE(assignment_destroys_the_old_value)
{
    test::counted one{1};
    test::counted two{2};

    one = std::move(two);

    BOOST_TEST(one == 2);
    BOOST_TEST(holding() == 1);
    BOOST_TEST(alive() == 2);

    auto& same = one;
    one = std::move(same);
    BOOST_TEST(one == 2);
    BOOST_TEST(moves() == 2);
}

BOOST_AUTO_TEST_CASE(element_that_outlives_its_fixture_is_a_failure)
{
    test::captured_failures failures;
    std::optional<test::counted> leaked;
    {
        test::counted_fixture inner;
        leaked.emplace(1);
        test::counted moved{std::move(*leaked)};
        BOOST_TEST(inner.check_none_alive() == false);
    }
    BOOST_TEST(failures.count() == 2u);
    BOOST_TEST(failures.mention("2 counted elements are alive, 1 of them"));
    BOOST_TEST(failures.mention("1 counted elements are alive, 0 of them"));
}

BOOST_AUTO_TEST_SUITE_END()
