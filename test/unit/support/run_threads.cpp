// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <barrier>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace test = sluice::test;

BOOST_AUTO_TEST_SUITE(run_threads)

BOOST_AUTO_TEST_CASE(every_index_runs_once_in_a_thread_of_its_own)
{
    std::vector<int> calls(4);
    std::vector<std::thread::id> ids(4);

    test::run_threads(4, [&](std::size_t index) {
        ++calls[index];
        ids[index] = std::this_thread::get_id();
    });

    BOOST_TEST((calls == std::vector{1, 1, 1, 1}));
    const std::set<std::thread::id> distinct(ids.begin(), ids.end());
    BOOST_TEST(distinct.size() == 4u);
    BOOST_TEST(distinct.count(std::this_thread::get_id()) == 0u);
}

BOOST_AUTO_TEST_CASE(threads_run_at_the_same_time)
{
    // Each needs the other: run one after the other they would never end.
    std::barrier both{2};
    std::atomic<int> passed{0};

    test::run_threads(2, [&] {
        both.arrive_and_wait();
        ++passed;
    });

    BOOST_TEST(passed == 2);
}

BOOST_AUTO_TEST_CASE(no_threads_is_nothing)
{
    bool called = false;

    test::run_threads(0, [&] { called = true; });

    BOOST_TEST(!called);
}

BOOST_AUTO_TEST_CASE(first_exception_is_rethrown_after_all_have_ended)
{
    std::atomic<int> ended{0};
    bool thrown = false;
    std::string message;

    try {
        test::run_threads(3, [&](std::size_t index) {
            ++ended;
            if (index == 1)
                throw std::runtime_error{"broken"};
        });
    } catch (const std::runtime_error& error) {
        thrown = true;
        message = error.what();
    }

    BOOST_TEST(thrown);
    BOOST_TEST(message == "broken");
    BOOST_TEST(ended == 3);
}

BOOST_AUTO_TEST_SUITE_END()
