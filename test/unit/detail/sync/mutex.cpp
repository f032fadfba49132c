// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/mutex.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mutex {

int points_passed = 0;

[[maybe_unused]] void count_point() noexcept
{
    ++points_passed;
}

}  // namespace mutex

BOOST_AUTO_TEST_SUITE(mutex)

// The first here, because the process has one thread when it locks.
BOOST_AUTO_TEST_CASE(excludes_a_thread_that_begins_while_it_is_locked)
{
    sluice::detail::mutex m;
    std::latch about_to_lock(1);
    bool entered = false;
    m.lock();
    std::jthread second([&] {
        about_to_lock.count_down();
        const std::lock_guard lock(m);
        entered = true;
    });
    about_to_lock.wait();
    BOOST_TEST(!entered);  // the sanitizer of threads sees it if the lock does not hold
    m.unlock();
    second.join();
    BOOST_TEST(entered);
}

BOOST_AUTO_TEST_CASE(excludes_each_other_under_contention)
{
    constexpr int threads = 4;
    constexpr int rounds = 20000;
    sluice::detail::mutex m;
    long counter = 0;  // not atomic: a lost update shows that two were inside
    std::atomic<int> inside{0};
    std::atomic<bool> met{false};
    sluice::test::run_threads(threads, [&] {
        for (int i = 0; i < rounds; ++i) {
            const std::lock_guard lock(m);
            if (++inside != 1)
                met = true;
            ++counter;
            --inside;
        }
    });
    BOOST_TEST(!met);
    BOOST_TEST(counter == threads * rounds);
}

#ifndef NDEBUG
BOOST_AUTO_TEST_CASE(thread_that_would_wait_for_itself_is_told_so_in_debug_builds)
{
    // After this the process counts as one with several threads, in the child, too.
    std::jthread([] {}).join();
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        alarm(60);  // instead of hanging
        sluice::detail::mutex m;
        m.lock();
        m.lock();
        _exit(0);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_TEST(WIFSIGNALED(status));
    BOOST_TEST(WTERMSIG(status) == SIGABRT);
}
#endif

BOOST_AUTO_TEST_CASE(each_waiting_thread_gets_the_lock)
{
    constexpr int sleepers = 4;
    sluice::detail::mutex m;
    std::latch about_to_lock(sleepers);
    int entered = 0;
    m.lock();
    sluice::test::run_threads(sleepers + 1, [&](std::size_t index) {
        if (index == sleepers) {
            about_to_lock.wait();
            m.unlock();
            return;
        }
        about_to_lock.count_down();
        const std::lock_guard lock(m);
        ++entered;
    });
    BOOST_TEST(entered == sleepers);
}

// A thread that sleeps would hardly ever find it unlocked.
BOOST_AUTO_TEST_CASE(thread_that_waits_gets_in_although_the_owner_locks_again_at_once)
{
    constexpr int most = 2000;
    sluice::detail::mutex m;
    std::latch is_locked(1);
    std::atomic<bool> entered{false};
    int sections = 0;
    std::jthread busy([&] {
        for (; !entered && sections < most; ++sections) {
            m.lock();
            if (sections == 0)
                is_locked.count_down();
            // longer than spinning, and much longer than it is unlocked
            const auto end = std::chrono::steady_clock::now() +
                             std::chrono::microseconds(200);
            while (std::chrono::steady_clock::now() < end) {}
            m.unlock();
            m.stand_back();
        }
    });
    is_locked.wait();
    m.lock();
    entered = true;
    m.unlock();
    busy.join();
    BOOST_TEST(sections < most);
}

// In the builds that have the points, those with the thread sanitizer, a lock passes two.
BOOST_AUTO_TEST_CASE(hook_is_called_where_there_are_points)
{
    points_passed = 0;
    int expected = 0;
#ifdef SLUICE_INTERLEAVING_POINTS
    sluice::detail::interleaving_hook = count_point;
    expected = 3;
#endif
    sluice::detail::interleaving_point();
    {
        sluice::detail::mutex mutex;
        const std::lock_guard lock(mutex);
    }
#ifdef SLUICE_INTERLEAVING_POINTS
    sluice::detail::interleaving_hook = nullptr;
#endif
    BOOST_TEST(points_passed == expected);
}

BOOST_AUTO_TEST_SUITE_END()
