// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace sluice::detail {

// How to wait for another thread that is about to leave a few instructions. Spins first,
// because the other one is about to leave; then yields, because it may have lost its
// processor; then sleeps for moments, because it may have lost it to this thread, for which a
// real-time scheduler would let it wait for ever. These moments grow, because a thread of lower
// priority hardly runs during one of a microsecond: it is over before the processor has changed.
class backoff
{
public:
    void wait() noexcept
    {
        if (turn_ < spins)
            stand_back();
        else if (turn_ < spins + yields)
            std::this_thread::yield();
        else
            sleep();
        ++turn_;
    }

    // The next wait() does.
    [[nodiscard]] bool sleeps() const noexcept { return turn_ >= spins + yields; }

private:
    static constexpr unsigned spins = 16;
    static constexpr unsigned pauses = 8;  // in each
    static constexpr unsigned yields = 64;
    static constexpr std::chrono::microseconds longest_sleep{1000};

    // For longer than the other thread needs. Two threads that do the same between their
    // critical sections meet again and again if the second one follows at the first's heels;
    // this lets them drift apart.
    static void stand_back() noexcept
    {
        for (unsigned i = 0; i < pauses; ++i)
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

    void sleep() noexcept
    {
        std::this_thread::sleep_for(sleep_);
        sleep_ = std::min(2 * sleep_, longest_sleep);
    }

    unsigned turn_ = 0;  // wraps after weeks of sleeping, and then spins once more
    std::chrono::microseconds sleep_{1};
};

}  // namespace sluice::detail
