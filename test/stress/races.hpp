// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/dice.hpp"
#include "stress/yields.hpp"
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

/// So many repetitions; fewer under a sanitizer, of which the build says how much slower it is, and
/// with mutants, of which there are hundreds.
constexpr std::size_t scaled(std::size_t full) noexcept
{
#ifdef SLUICE_STRESS_SHARE
    return full / SLUICE_STRESS_SHARE;
#else
    return full / SLUICE_SLOWDOWN;
#endif
}

/// In all programs of races.
inline const yields at_points(16);

/// What a race found wrong; ends the coroutine or thread that noticed.
inline void require(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error(what);
}

/// Lets two threads begin rounds of races together.
class starter
{
public:
    /// By the thread that leads: round number `round` (1, 2, ...) begins.
    void begin(std::uint64_t round) noexcept
    {
        round_.store(round, std::memory_order_release);
        round_.notify_all();
    }

    /// By the other: waits for the round to begin; false if there is none to come.
    [[nodiscard]] bool await(std::uint64_t round) const noexcept
    {
        for (;;) {
            const std::uint64_t now = round_.load(std::memory_order_acquire);
            if (now >= round)
                return now != over;
            round_.wait(now);
        }
    }

    /// By the thread that leads, also when it fails: no more rounds.
    void end() noexcept { begin(over); }

private:
    static constexpr std::uint64_t over = UINT64_MAX;

    std::atomic<std::uint64_t> round_{0};
};

/// A delay of up to `most` steps of a few nanoseconds, so that the threads do not always
/// meet in the same order.
inline void dawdle(dice& chance, std::size_t most) noexcept
{
    std::atomic<std::size_t> steps{chance.below(most + 1)};
    while (steps.load(std::memory_order_relaxed) > 0)
        steps.fetch_sub(1, std::memory_order_relaxed);
}

/// By a thread that sends: puts an element in as soon as there is room.
/** False if `given_up` says that no receiver is left. */
template <class Queue, class T>
bool push(Queue& q, T element, const std::atomic<bool>& given_up)
{
    while (!q.try_enqueue(std::move(element))) {
        if (given_up)
            return false;
        std::this_thread::yield();
    }
    return true;
}

/// Sets a flag when it goes, in whatever way.
class flag_on_exit
{
public:
    explicit flag_on_exit(std::atomic<bool>& flag) noexcept : flag_(flag) {}
    flag_on_exit(const flag_on_exit&) = delete;
    flag_on_exit& operator=(const flag_on_exit&) = delete;
    ~flag_on_exit() { flag_ = true; }

private:
    std::atomic<bool>& flag_;
};

/// Notes numbers that must come exactly once each.
class attendance
{
public:
    explicit attendance(std::size_t count) : seen_(count) {}

    /// Safe from any thread.
    void note(std::size_t number)
    {
        require(number < seen_.size(), "a number that nobody sent");
        require(
            seen_[number].fetch_add(1) == 0,
            "delivered twice: " + std::to_string(number)
        );
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
