// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/single_threaded.hpp>

#include <atomic>
#include <cassert>
#include <cstdint>

namespace sluice::detail {

// A place at which a thread may lose its processor with consequences: around a lock, between
// a decision and its delivery, between an attempt and the wait. Where the macro is defined, in
// builds for tests only, a test can see to it that threads often do; elsewhere it is nothing.
#ifdef SLUICE_INTERLEAVING_POINTS

inline std::atomic<void (*)() noexcept> interleaving_hook{nullptr};

inline void interleaving_point() noexcept
{
    if (const auto hook = interleaving_hook.load(std::memory_order_relaxed))
        hook();
}

#else

inline void interleaving_point() noexcept {}

#endif

// A mutex for critical sections of a few dozen instructions. Not recursive, not
// fair: fairness between operations is the order of their waiters, not of this lock.
//
// What an uncontended queue costs is mostly its locked instructions, so there is one where
// most mutexes have two, and none before the process has a second thread. unlock() is a plain
// store, which cannot learn whether a thread sleeps; so no thread waits to be woken: one that
// finds the mutex locked backs off and looks again. So it would hardly ever get in beside an owner
// that unlocks for a moment only, to lock again: such an owner has to stand_back() in between.
class mutex
{
public:
    mutex() = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    [[gnu::always_inline]] void lock() noexcept
    {
        interleaving_point();
        if (try_lock())
            return;
        // It would wait for itself for ever.
        assert(
            locked_.load(std::memory_order_relaxed) != mark() &&
            "an element uses its queue"
        );
        lock_contended();
    }

    void unlock() noexcept
    {
        // release: publishes the critical section to the next owner, who may be done, and
        // the mutex be gone, from here on
        locked_.store(0, std::memory_order_release);
        interleaving_point();
    }

    // For one that has unlocked and is about to lock again: those that wait go first, unless they
    // sleep.
    void stand_back() noexcept;

private:
    [[nodiscard, gnu::always_inline]] bool try_lock() noexcept
    {
        // acquire: sees everything the previous owner wrote before unlock()
        if (threads_exist())
            return exchange();
        // For a thread that an element may start while it is moved. What is there is not
        // looked at, which would take longer than all else here.
        assert(
            locked_.load(std::memory_order_relaxed) == 0 && "an element uses its queue"
        );
        locked_.store(mark(), std::memory_order_relaxed);
        return true;
    }

    // Out of line, so that the callers stay short.
    [[gnu::cold]] void lock_contended() noexcept;

    // A locked mutex holds 1, but in debug builds who has locked it. The type is the same in both,
    // because a program and its library may differ in that.
#ifdef NDEBUG

    [[nodiscard, gnu::always_inline]] bool exchange() noexcept
    {
        return locked_.exchange(1, std::memory_order_acquire) == 0;
    }

    [[nodiscard]] static std::uint32_t mark() noexcept { return 1; }

#else

    // Not by a plain exchange, which would leave the mark of a thread that has failed.
    [[nodiscard]] bool exchange() noexcept
    {
        std::uint32_t unlocked = 0;
        return locked_.compare_exchange_strong(
            unlocked,
            mark(),
            std::memory_order_acquire,
            std::memory_order_relaxed
        );
    }

    [[nodiscard, gnu::noinline]] static std::uint32_t mark() noexcept
    {
        static constinit std::atomic<std::uint32_t> last{1};
        static thread_local const std::uint32_t own = ++last;
        return own;
    }

#endif

    // 0 while it is not locked; a byte costs some processors half as much again
    std::atomic<std::uint32_t> locked_{0};
    std::atomic<bool> is_awaited_{false};
};

}  // namespace sluice::detail
