// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/interleaving_point.hpp>
#include <sluice/detail/threads_exist.hpp>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace sluice::detail {

// A mutex of one byte for critical sections of a few dozen instructions. Not recursive, not
// fair: fairness between operations is the order of their waiters, not of this lock.
//
// What an uncontended queue costs is mostly its locked instructions, so there is one where
// most mutexes have two, and none before the process has a second thread. unlock() is a plain
// store, which cannot learn whether somebody sleeps; so nobody waits to be woken. Whoever
// finds the mutex locked spins, because the owner is about to leave, then yields, because
// the owner may have lost its processor, and then sleeps for moments, because it may have
// lost it to us, on whom a real-time scheduler would wait for ever.
class mutex
{
public:
    mutex() = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    [[gnu::always_inline]] void lock() noexcept
    {
        interleaving_point();
        if (!try_lock())
            lock_contended();
    }

    void unlock() noexcept
    {
        // release: publishes the critical section to the next owner, who may be done, and
        // the mutex be gone, from here on
        locked_.store(false, std::memory_order_release);
        interleaving_point();
    }

private:
    static constexpr int spins = 16;
    static constexpr int pauses = 8;  // in each
    static constexpr int yields = 64;

    [[nodiscard, gnu::always_inline]] bool try_lock() noexcept
    {
        // acquire: sees everything the previous owner wrote before unlock()
        if (threads_exist())
            return !locked_.exchange(true, std::memory_order_acquire);
        // For a thread that an element may start while it is moved. What is there is not
        // looked at, which would take longer than all else here.
        assert(!locked_.load(std::memory_order_relaxed) && "an element uses its queue");
        locked_.store(true, std::memory_order_relaxed);
        return true;
    }

    // Out of line, so that the callers stay short.
    [[gnu::noinline, gnu::cold]] void lock_contended() noexcept
    {
        for (int turn = 0;; ++turn) {
            if (turn < spins)
                stand_back();
            else if (turn < spins + yields)
                std::this_thread::yield();
            else
                std::this_thread::sleep_for(std::chrono::microseconds(1));
            // Looks before it tries: a failed exchange takes the owner's cache line away.
            if (!locked_.load(std::memory_order_relaxed) && try_lock())
                return;
        }
    }

    // For longer than the owner needs. Two threads that do the same between their critical
    // sections meet again and again if the second one follows at the first's heels; this lets
    // them drift apart. And each look at the mutex slows its owner down.
    static void stand_back() noexcept
    {
        for (int i = 0; i < pauses; ++i)
            pause();
    }

    static void pause() noexcept
    {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
        asm volatile("yield");
#endif
    }

    std::atomic<bool> locked_{false};
};

}  // namespace sluice::detail
