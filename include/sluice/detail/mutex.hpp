// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::detail {

// A mutex of four bytes for critical sections of a few dozen instructions. Uncontended,
// locking and unlocking are one atomic exchange each; under contention it spins briefly,
// because the owner is about to leave, and then sleeps in the kernel. Not recursive, not
// fair: fairness between operations is the order of their waiters, not of this lock.
class mutex
{
public:
    mutex() = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    void lock() noexcept
    {
        std::uint32_t expected = unlocked;
        // acquire: sees everything the previous owner wrote before unlock()
        if (!state_.compare_exchange_strong(
                expected,
                locked,
                std::memory_order_acquire,
                std::memory_order_relaxed
            ))
            lock_contended();
    }

    void unlock() noexcept
    {
        // release: publishes the critical section to the next owner, who may be done, and
        // the mutex be gone, before the notification, which uses no more than its address
        if (state_.exchange(unlocked, std::memory_order_release) == contended)
            state_.notify_one();
    }

private:
    static constexpr std::uint32_t unlocked = 0;
    static constexpr std::uint32_t locked = 1;
    static constexpr std::uint32_t contended = 2;  // somebody may sleep
    static constexpr int spins_before_sleep = 100;

    void lock_contended() noexcept
    {
        for (int spin = 0; spin < spins_before_sleep; ++spin) {
            std::uint32_t expected = unlocked;
            if (state_.load(std::memory_order_relaxed) == unlocked &&
                state_.compare_exchange_weak(
                    expected,
                    locked,
                    std::memory_order_acquire,
                    std::memory_order_relaxed
                ))
                return;
            pause();
        }
        // Entering as `contended` even when nobody else sleeps costs one needless wake-up
        // and never a lost one: whoever sleeps has left the state at `contended`.
        while (state_.exchange(contended, std::memory_order_acquire) != unlocked)
            state_.wait(contended, std::memory_order_relaxed);
    }

    static void pause() noexcept
    {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
        asm volatile("yield");
#endif
    }

    std::atomic<std::uint32_t> state_{unlocked};
};

}  // namespace sluice::detail
