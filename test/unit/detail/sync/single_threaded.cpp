// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/single_threaded.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace detail = sluice::detail;

BOOST_AUTO_TEST_SUITE(single_threaded)

BOOST_AUTO_TEST_CASE(a_second_thread_is_seen_from_its_beginning)
{
    bool seen = false;
    std::jthread([&] { seen = detail::threads_exist(); }).join();
    BOOST_TEST(seen);
}

BOOST_AUTO_TEST_CASE(sums_are_the_same_with_one_thread_and_with_several)
{
    constexpr int threads = 4;
    constexpr int rounds = 20000;
    std::atomic<int> sum{1};
    BOOST_TEST(detail::fetch_add(sum, 2, std::memory_order_relaxed) == 1);
    sluice::test::run_threads(threads, [&] {
        for (int i = 0; i < rounds; ++i)
            (void)detail::fetch_add(sum, 1, std::memory_order_relaxed);
    });
    BOOST_TEST(sum == 3 + threads * rounds);
}

BOOST_AUTO_TEST_CASE(exchange_happens_only_with_what_is_expected)
{
    std::atomic<int> value{1};
    const auto exchange = [&](int expected, int desired) {
        return detail::compare_exchange(
            value,
            expected,
            desired,
            std::memory_order_acquire
        );
    };
    BOOST_TEST(!exchange(2, 3));
    BOOST_TEST(value == 1);
    BOOST_TEST(exchange(1, 2));
    BOOST_TEST(value == 2);
    std::jthread([] {}).join();
    BOOST_TEST(!exchange(1, 3));
    BOOST_TEST(exchange(2, 3));
    BOOST_TEST(value == 3);
}

BOOST_AUTO_TEST_CASE(one_of_several_threads_wins_an_exchange)
{
    constexpr int rounds = 2000;
    std::atomic<int> value{0};
    std::atomic<int> wins{0};
    sluice::test::run_threads(2, [&] {
        for (int i = 0; i < rounds; ++i)
            if (detail::compare_exchange(value, i, i + 1, std::memory_order_acq_rel))
                ++wins;
    });
    BOOST_TEST(wins == value);
}

BOOST_AUTO_TEST_SUITE_END()
