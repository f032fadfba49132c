// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/failing_allocator.hpp"

#include "support/check.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <memory>
#include <stdexcept>

namespace test = sluice::test;

namespace failing_allocator {

using int_list = std::list<int, test::failing_allocator<int>>;

int_list make_list(test::allocation_budget& budget)
{
    return int_list{test::failing_allocator<int>{budget}};
}

}  // namespace failing_allocator

BOOST_AUTO_TEST_SUITE(failing_allocator)

BOOST_AUTO_TEST_CASE(chosen_allocation_fails_once)
{
    test::allocation_budget budget{1};
    auto list = make_list(budget);

    list.push_back(1);
    BOOST_TEST(!budget.failed());
    BOOST_CHECK_THROW(list.push_back(2), test::injected_bad_alloc);
    BOOST_TEST(budget.failed());
    BOOST_CHECK_NO_THROW(list.push_back(3));

    BOOST_TEST(list.size() == 2u);
    BOOST_TEST(budget.live() == 2u);
}

// for_each_failure

BOOST_AUTO_TEST_CASE(memory_that_outlives_the_function_is_a_failure)
{
    test::captured_failures failures;
    int* leaked = nullptr;

    test::for_each_failure([&](test::allocation_budget& budget) {
        leaked = test::failing_allocator<int>{budget}.allocate(1);
    });

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("1 blocks of memory"));
    std::allocator<int>{}.deallocate(leaked, 1);
}

BOOST_AUTO_TEST_CASE(other_exceptions_leave)
{
    const auto run_out_of_memory = [](test::allocation_budget&) {
        throw std::bad_alloc{};
    };
    const auto throw_error = [](test::allocation_budget&) {
        throw std::runtime_error{""};
    };

    BOOST_CHECK_THROW(test::for_each_failure(run_out_of_memory), std::bad_alloc);
    BOOST_CHECK_THROW(test::for_each_failure(throw_error), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(function_that_retries_for_ever_is_a_failure)
{
    test::captured_failures failures;

    test::for_each_failure([](test::allocation_budget& budget) {
        while (!budget.failed())
            (void)budget.spend();
    });

    BOOST_TEST(failures.count() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
