// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "stress/soak/dice.hpp"
#include "support/pump.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::stress {

using soak::dice;
using test::patience;

#if defined(__SANITIZE_THREAD__)
inline constexpr std::size_t slowdown = 50;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t slowdown = 25;
#else
inline constexpr std::size_t slowdown = 1;
#endif

/// So many repetitions, fewer under a sanitizer.
constexpr std::size_t scaled(std::size_t full) noexcept
{
    return full / slowdown;
}

/// What a race found wrong; ends the coroutine or thread that noticed.
inline void require(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error(what);
}

/// Lets two threads enter race after race together.
class starter
{
public:
    /// By the thread that leads: race number `race` (1, 2, ...) begins.
    void begin(std::uint64_t race) noexcept
    {
        race_.store(race, std::memory_order_release);
    }

    /// By the other: waits for the race to begin; false if there is none to come.
    [[nodiscard]] bool await(std::uint64_t race) const noexcept
    {
        for (;;) {
            const std::uint64_t now = race_.load(std::memory_order_acquire);
            if (now >= race)
                return now != over;
            std::this_thread::yield();  // not wait(): being woken up takes longer than a race
        }
    }

    /// By the thread that leads, also when it fails: no more races.
    void end() noexcept { begin(over); }

private:
    static constexpr std::uint64_t over = UINT64_MAX;

    std::atomic<std::uint64_t> race_{0};
};

/// Calls end() when the leader goes, in whatever way.
class starter_guard
{
public:
    explicit starter_guard(starter& races) noexcept : races_(races) {}
    starter_guard(const starter_guard&) = delete;
    starter_guard& operator=(const starter_guard&) = delete;
    ~starter_guard() { races_.end(); }

private:
    starter& races_;
};

/// A delay of up to `most` steps of a few nanoseconds, so that the threads do not always
/// meet in the same order.
inline void dawdle(dice& chance, std::size_t most) noexcept
{
    std::atomic<std::size_t> steps{chance.below(most + 1)};
    while (steps.load(std::memory_order_relaxed) > 0)
        steps.fetch_sub(1, std::memory_order_relaxed);
}

/// Notes numbers that must come exactly once each.
class attendance
{
public:
    explicit attendance(std::size_t count) : seen_(count) {}

    /// Safe from any thread.
    void note(std::size_t number)
    {
        require(number < seen_.size(), "a number that nobody sent");
        require(seen_[number].fetch_add(1) == 0, "delivered twice: " + std::to_string(number));
    }

    /// The number of those that never came.
    [[nodiscard]] std::size_t missing() const noexcept
    {
        std::size_t count = 0;
        for (const auto& times : seen_)
            count += times == 0 ? 1U : 0U;
        return count;
    }

private:
    std::vector<std::atomic<unsigned char>> seen_;
};

}  // namespace sluice::stress
