// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/backoff.hpp>
#include <sluice/detail/sync/interleaving_point.hpp>
#include <sluice/detail/sync/single_threaded.hpp>

#include <atomic>
#include <cassert>
#include <cstdint>

namespace sluice::detail {

// A mutex for critical sections of a few dozen instructions. Not recursive, not
// fair: fairness between operations is the order of their waiters, not of this lock.
//
// What an uncontended queue costs is mostly its locked instructions, so there is one where
// most mutexes have two, and none before the process has a second thread. unlock() is a plain
// store, which cannot learn whether somebody sleeps; so nobody waits to be woken: whoever finds
// the mutex locked backs off and looks again.
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
        locked_.store(0, std::memory_order_release);
        interleaving_point();
    }

private:
    [[nodiscard, gnu::always_inline]] bool try_lock() noexcept
    {
        // acquire: sees everything the previous owner wrote before unlock()
        if (threads_exist())
            return locked_.exchange(1, std::memory_order_acquire) == 0;
        // For a thread that an element may start while it is moved. What is there is not
        // looked at, which would take longer than all else here.
        assert(
            locked_.load(std::memory_order_relaxed) == 0 && "an element uses its queue"
        );
        locked_.store(1, std::memory_order_relaxed);
        return true;
    }

    // Out of line, so that the callers stay short.
    [[gnu::noinline, gnu::cold]] void lock_contended() noexcept
    {
        backoff waiting;
        do
            waiting.wait();
        // Looks before it tries: a failed exchange takes the owner's cache line away.
        while (locked_.load(std::memory_order_relaxed) != 0 || !try_lock());
    }

    // a byte costs some processors half as much again
    std::atomic<std::uint32_t> locked_{0};
};

}  // namespace sluice::detail
