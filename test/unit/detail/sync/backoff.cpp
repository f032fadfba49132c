// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/backoff.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>

BOOST_AUTO_TEST_SUITE(backoff)

BOOST_AUTO_TEST_CASE(threads_that_wait_for_each_other_all_get_their_turn)
{
    constexpr std::size_t threads = 4;
    constexpr std::size_t turns = 200;
    std::atomic<std::size_t> turn{0};
    sluice::test::run_threads(threads, [&](std::size_t index) {
        for (std::size_t mine = index; mine < threads * turns; mine += threads) {
            for (sluice::detail::backoff waiting; turn.load() != mine;)
                waiting.wait();
            turn.store(mine + 1);
        }
    });
    BOOST_TEST(turn.load() == threads * turns);
}

BOOST_AUTO_TEST_SUITE_END()
