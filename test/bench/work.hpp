// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice::bench {

/// Work for the processor alone: each step needs the result of the one before.
[[nodiscard]] inline std::uint64_t work(std::uint64_t seed, std::size_t steps) noexcept
{
    for (; steps > 0; --steps)
        seed = seed * 6364136223846793005U + 1442695040888963407U;
    return seed;
}

/// How many steps take a microsecond here. A fixed number of steps, unlike a look at the
/// clock, is the same work for all, also for a thread that was interrupted meanwhile.
[[nodiscard]] inline std::size_t steps_in_microsecond()
{
    constexpr std::size_t many = 1'000'000;
    double best = 1e18;
    std::uint64_t seed = 1;
    for (int turn = 0; turn < 20; ++turn) {
        const auto start = std::chrono::steady_clock::now();
        seed = work(seed, many);
        const std::chrono::duration<double, std::micro> taken =
            std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
    }
    // of the sum, so that the work is not left out
    return static_cast<std::size_t>(many / best) + (seed == 0 ? 1 : 0);
}

}  // namespace sluice::bench
