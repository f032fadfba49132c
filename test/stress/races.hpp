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
        require(number < seen_.size(), "a number that was not sent");
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
