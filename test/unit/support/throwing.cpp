// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/throwing.hpp"

#include "support/check.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace test = sluice::test;

static_assert(!std::is_default_constructible_v<test::throwing>);
static_assert(!std::is_copy_constructible_v<test::throwing>);
static_assert(!std::is_nothrow_move_constructible_v<test::throwing>);
static_assert(!std::is_nothrow_move_assignable_v<test::throwing>);

BOOST_FIXTURE_TEST_SUITE(throwing, test::counted_fixture)

BOOST_AUTO_TEST_CASE(moves_succeed_without_a_failure)
{
    test::throwing from{1};
    test::throwing to{std::move(from)};
    from = std::move(to);

    BOOST_TEST(from == 1);
    BOOST_TEST(moves() == 2);
}

BOOST_AUTO_TEST_CASE(chosen_move_throws_and_keeps_the_source)
{
    test::throwing from{1};
    test::move_failure failure{1};

    test::throwing to{std::move(from)};
    BOOST_TEST(!failure.fired());
    BOOST_CHECK_THROW(test::throwing{std::move(to)}, test::move_error);
    BOOST_TEST(failure.fired());
    BOOST_TEST(to == 1);
}

BOOST_AUTO_TEST_CASE(assignment_that_throws_changes_neither_side)
{
    test::throwing left{1};
    test::throwing right{2};
    test::move_failure failure{0};

    BOOST_CHECK_THROW(left = std::move(right), test::move_error);

    BOOST_TEST(left == 1);
    BOOST_TEST(right == 2);
}

BOOST_AUTO_TEST_CASE(failure_fires_once)
{
    test::throwing from{1};
    test::move_failure failure{0};
    BOOST_CHECK_THROW(test::throwing{std::move(from)}, test::move_error);

    BOOST_CHECK_NO_THROW(test::throwing{std::move(from)});
}

BOOST_AUTO_TEST_CASE(disarmed_failure_does_not_fire)
{
    test::throwing from{1};
    {
        test::move_failure failure{0};
        failure.disarm();
        BOOST_CHECK_NO_THROW(test::throwing{std::move(from)});
    }
    {
        test::move_failure failure{0};
    }
    BOOST_CHECK_NO_THROW(test::throwing{std::move(from)});
}

// for_each_move_failure

BOOST_AUTO_TEST_CASE(every_move_fails_in_turn)
{
    int completed = 0;
    std::vector<int> moved_in;

    const auto failures = test::for_each_move_failure([&](test::move_failure&) {
        test::throwing a{1};
        moved_in.push_back(0);
        const auto attempt = [&] {
            test::throwing b{std::move(a)};
            ++moved_in.back();
            test::throwing c{std::move(b)};
            ++moved_in.back();
        };
        attempt();
        ++completed;
    });

    BOOST_TEST(failures == 2u);
    BOOST_TEST(completed == 1);
    BOOST_TEST(moved_in == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_exceptions_leave)
{
    const auto throw_error = [](test::move_failure&) {
        throw std::runtime_error{"broken"};
    };

    BOOST_CHECK_THROW(test::for_each_move_failure(throw_error), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(function_that_retries_for_ever_is_a_failure)
{
    test::captured_failures failures;

    test::for_each_move_failure([](test::move_failure& failure) {
        test::throwing a{1};
        while (!failure.fired()) {
            try {
                test::throwing b{std::move(a)};
                a = std::move(b);
            } catch (const test::move_error&) {
            }
        }
    });

    BOOST_TEST(failures.count() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
