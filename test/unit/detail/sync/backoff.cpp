// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/backoff.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <latch>
#include <pthread.h>
#include <thread>

namespace backoff {

// Both threads share this processor, the first one that the process may use.
cpu_set_t one_processor()
{
    cpu_set_t all{};
    cpu_set_t one{};
    ::sched_getaffinity(0, sizeof all, &all);
    for (std::size_t i = 0; CPU_COUNT(&one) == 0 && i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    return one;
}

// Gives the calling thread a real-time priority, which takes a right that not every user has.
bool become_real_time(int priority)
{
    const cpu_set_t processor = one_processor();
    const sched_param wanted{.sched_priority = priority};
    return ::sched_setaffinity(0, sizeof processor, &processor) == 0 &&
           ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &wanted) == 0;
}

}  // namespace backoff

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

BOOST_AUTO_TEST_CASE(real_time_thread_leaves_its_processor_to_one_of_lower_priority)
{
    constexpr std::size_t steps = 1'000'000;
    constexpr std::size_t turns = 2000;
    std::atomic<bool> is_permitted{true};
    std::atomic<std::size_t> done{0};
    std::latch both_are_real_time{2};
    const auto begin = [&](int priority) {
        if (!::backoff::become_real_time(priority))
            is_permitted = false;
        both_are_real_time.arrive_and_wait();
        return is_permitted.load();
    };
    std::jthread lower([&] {
        if (begin(1))
            while (done != steps)
                ++done;
    });
    std::size_t turn = 0;
    std::jthread([&] {
        if (!begin(2))
            return;
        for (sluice::detail::backoff waiting; done != steps && turn != turns; ++turn)
            waiting.wait();
    }).join();
    BOOST_TEST(turn != turns);
    if (!is_permitted)
        BOOST_TEST_MESSAGE("skipped: this user may not make real-time threads");
}

BOOST_AUTO_TEST_SUITE_END()
