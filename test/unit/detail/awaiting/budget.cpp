// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/budget.hpp>

#include <boost/test/unit_test.hpp>

#include <thread>

using budget_type = sluice::detail::budget;

BOOST_AUTO_TEST_SUITE(budget)

BOOST_AUTO_TEST_CASE(limit_is_128)  // S10
{
    BOOST_TEST(int(budget_type::limit) == 128);
}

BOOST_AUTO_TEST_CASE(is_spent_after_the_limit_and_stays_spent_until_reset)
{
    budget_type::reset();
    int taken = 0;
    while (taken <= budget_type::limit && budget_type::take())
        ++taken;
    BOOST_TEST(taken == int(budget_type::limit));
    BOOST_TEST(!budget_type::take());
    budget_type::reset();
    BOOST_TEST(budget_type::take());
    budget_type::reset();
}

BOOST_AUTO_TEST_CASE(belongs_to_the_thread)
{
    budget_type::reset();
    while (budget_type::take()) {}
    bool other_may = false;
    std::thread([&] { other_may = budget_type::take(); }).join();
    BOOST_TEST(other_may);
    BOOST_TEST(!budget_type::take());
    budget_type::reset();
}

BOOST_AUTO_TEST_SUITE_END()
