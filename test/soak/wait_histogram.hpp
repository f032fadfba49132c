// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace sluice::soak {

// Why: an operation that is passed over for ever breaks no book. It shows in how many operations
// others begin while one lasts, a measure that does not depend on the speed of the machine.

/// Waits of 0, 1, 2 to 3, 4 to 7, ... operations of others; the last entry has all longer ones.
using wait_counts = std::array<std::uint64_t, 18>;

/// Counts waits. All members are safe from any thread.
class wait_histogram
{
public:
    void note(std::size_t others) noexcept
    {
        const auto place = static_cast<std::size_t>(std::bit_width(others));
        const std::size_t last = counts_.size() - 1;
        counts_[place < last ? place : last].fetch_add(1, std::memory_order_relaxed);
    }

    [[nodiscard]] wait_counts counts() const noexcept
    {
        wait_counts result{};
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = counts_[i].load(std::memory_order_relaxed);
        return result;
    }

private:
    std::array<std::atomic<std::uint64_t>, std::tuple_size_v<wait_counts>> counts_{};
};

}  // namespace sluice::soak
