// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/priority_store.hpp>

#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace priority_store {

// Throws at the comparison that `countdown` says; never if it is negative.
struct by_number_or_throws
{
    static inline int countdown = -1;

    bool operator()(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) const
    {
        if (countdown >= 0 && countdown-- == 0)
            throw std::runtime_error("cannot compare");
        return *a < *b;
    }
};

using boxes = sluice::priority_store<std::unique_ptr<int>, by_number_or_throws>;

// `act(store)` on a store of the numbers from 1 to 20, while each comparison of it throws in
// turn; then `check(store, whether it threw)`. Gives how often that was.
template <class Act, class Check>
int for_each_comparison_that_throws(Act act, Check check)
{
    for (int comparison = 0;; ++comparison) {
        boxes store{sluice::queue_options{.capacity = sluice::unbounded}};
        for (int i = 0; i < 20; ++i)
            store.push(std::make_unique<int>(i * 7 % 20 + 1));
        by_number_or_throws::countdown = comparison;
        bool threw = false;
        try {
            act(store);
        } catch (const std::runtime_error&) {
            threw = true;
        }
        const bool fired = by_number_or_throws::countdown < 0;
        by_number_or_throws::countdown = -1;
        BOOST_TEST_CONTEXT("comparison " << comparison)
        {
            check(store, threw);
        }
        if (!fired)
            return comparison;
    }
}

// Takes all out; the numbers from `first` to `last` must come in order.
void check_holds(boxes& store, int first, int last)
{
    BOOST_TEST(store.size() == static_cast<std::size_t>(last - first + 1));
    for (int i = first; i <= last && store.size() > 0; ++i)
        BOOST_TEST(*store.pop() == i);
}

}  // namespace priority_store

BOOST_AUTO_TEST_SUITE(priority_store)

BOOST_AUTO_TEST_CASE(push_whose_comparison_throws_leaves_the_element_with_its_caller)
{
    std::unique_ptr<int> added;
    const int failures = for_each_comparison_that_throws(
        [&](boxes& store) {
            added = std::make_unique<int>(0);
            store.push(std::move(added));
        },
        [&](boxes& store, bool threw) {
            BOOST_TEST((added != nullptr) == threw);
            check_holds(store, threw ? 1 : 0, 20);
        }
    );
    BOOST_TEST(failures > 1);
}

BOOST_AUTO_TEST_CASE(pop_whose_comparison_throws_changes_nothing)
{
    const int failures = for_each_comparison_that_throws(
        [](boxes& store) { BOOST_TEST(*store.pop() == 1); },
        [](boxes& store, bool threw) { check_holds(store, threw ? 1 : 2, 20); }
    );
    BOOST_TEST(failures > 4);
}

BOOST_AUTO_TEST_CASE(returned_element_is_not_lost_if_a_comparison_throws)  // P1
{
    const int failures = for_each_comparison_that_throws(
        [](boxes& store) { store.put_back(std::make_unique<int>(0)); },
        [](boxes& store, bool threw) {
            BOOST_TEST(!threw);
            check_holds(store, 0, 20);
        }
    );
    BOOST_TEST(failures > 1);
}

BOOST_AUTO_TEST_SUITE_END()
