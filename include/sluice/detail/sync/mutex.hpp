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
//
// That alone would let a thread wait for long beside one that unlocks for a moment only, to lock
// again. So one that has waited in vain reserves the mutex, and hand_over() leaves it as
// `reserved`, which only that thread takes. One thread at a time does so, others may after it.
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
        state_.store(0, std::memory_order_release);
        interleaving_point();
    }

    // unlock() for an owner that locks again at once: first the thread has its turn, if there is
    // one, that has waited in vain.
    void hand_over() noexcept
    {
        // release: as above
        state_.store(
            unlocked_.load(std::memory_order_relaxed),
            std::memory_order_release
        );
        interleaving_point();
    }

private:
    [[nodiscard, gnu::always_inline]] bool try_lock() noexcept
    {
        // acquire: sees everything the previous owner wrote before unlock()
        if (threads_exist())
            return exchange();
        // For a thread that an element may start while it is moved. What is there is not
        // looked at, which would take longer than all else here.
        assert(
            state_.load(std::memory_order_relaxed) == 0 && "an element uses its queue"
        );
        state_.store(mark(), std::memory_order_relaxed);
        return true;
    }

    // Out of line, so that the callers stay short.
    [[gnu::noinline, gnu::cold]] void lock_contended() noexcept
    {
        // As above: it would wait for itself for ever.
        assert(
            state_.load(std::memory_order_relaxed) != mark() &&
            "an element uses its queue"
        );
        bool has_reserved = false;
        for (backoff waiting;;) {
            waiting.wait();
            // Looks before it tries: a failed exchange takes the owner's cache line away.
            const std::uint32_t seen = state_.load(std::memory_order_relaxed);
            if (seen == 0 && try_lock())
                break;
            if (has_reserved && seen == reserved && take_reserved())
                break;
            if (!has_reserved && waiting.is_long())
                has_reserved = try_reserve();
        }
        if (has_reserved)
            unlocked_.store(0, std::memory_order_relaxed);  // as the owner
    }

    // The owner's next hand_over() leaves the mutex to this thread, unless to another.
    [[nodiscard]] bool try_reserve() noexcept
    {
        std::uint32_t open = 0;
        return unlocked_
            .compare_exchange_strong(open, reserved, std::memory_order_relaxed);
    }

    // False if a thread that wants it, too, holds it for a moment; see exchange().
    [[nodiscard]] bool take_reserved() noexcept
    {
        std::uint32_t seen = reserved;
        return state_.compare_exchange_strong(
            seen,
            mark(),
            std::memory_order_acquire,
            std::memory_order_relaxed
        );
    }

    static constexpr std::uint32_t reserved = ~std::uint32_t{0};

    // A locked mutex holds 1, but in debug builds who has locked it. The type is the same in both,
    // because a program and its library may differ in that.
#ifdef NDEBUG

    [[nodiscard, gnu::always_inline]] bool exchange() noexcept
    {
        const std::uint32_t seen = state_.exchange(1, std::memory_order_acquire);
        if (seen == reserved) [[unlikely]]
            state_.store(
                reserved,
                std::memory_order_release
            );  // it is not for this thread
        return seen == 0;
    }

    [[nodiscard]] static std::uint32_t mark() noexcept { return 1; }

#else

    // Not by a plain exchange, which would leave the mark of a thread that has failed.
    [[nodiscard]] bool exchange() noexcept
    {
        std::uint32_t unlocked = 0;
        return state_.compare_exchange_strong(
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

    // 0 while it is not locked, or `reserved`; a byte costs some processors half as much again
    std::atomic<std::uint32_t> state_{0};
    // What hand_over() leaves: `reserved` while a thread waits that has reserved it, otherwise 0.
    std::atomic<std::uint32_t> unlocked_{0};
};

}  // namespace sluice::detail
