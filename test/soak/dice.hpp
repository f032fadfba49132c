// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::soak {

// Why: millions of choices, the same for the same seed on every platform.

/// A small random generator (splitmix64).
class dice
{
public:
    explicit dice(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t roll() noexcept
    {
        std::uint64_t bits = state_ += 0x9e3779b97f4a7c15U;
        bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31U);
    }

    /// 0 to count - 1.
    std::size_t below(std::size_t count) noexcept
    {
        return static_cast<std::size_t>(roll() % count);
    }

    /// True once in `count` times.
    bool once_in(std::size_t count) noexcept { return below(count) == 0; }

private:
    std::uint64_t state_;
};

}  // namespace sluice::soak
