// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/single_threaded.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice::detail {

// How long the operations in the two lists of a hub waited. Any thread adds and reads; what is read
// is of about one moment, which is enough for a report.
class wait_times
{
public:
    using nanoseconds = std::chrono::nanoseconds;

    // A bucket counts those up to its bound that are above the one before; the last has no bound.
    static constexpr std::array<nanoseconds, 8> bounds{
        std::chrono::microseconds(1),
        std::chrono::microseconds(10),
        std::chrono::microseconds(100),
        std::chrono::milliseconds(1),
        std::chrono::milliseconds(10),
        std::chrono::milliseconds(100),
        std::chrono::seconds(1),
        std::chrono::seconds(10)
    };

    struct reading
    {
        std::array<std::uint64_t, bounds.size() + 1> counts{};
        nanoseconds sum{};
    };

    void add(unsigned char list, nanoseconds waited) noexcept
    {
        side& to = sides_[list % sides_.size()];
        // Most waits are short, and those of one queue alike, so the processor foresees the end.
        std::size_t bucket = 0;
        while (bucket < bounds.size() && waited > bounds[bucket])
            ++bucket;
        fetch_add(to.counts[bucket], std::uint64_t{1}, std::memory_order_relaxed);
        fetch_add(to.sum, std::int64_t{waited.count()}, std::memory_order_relaxed);
    }

    [[nodiscard]] reading read(unsigned char list) const noexcept
    {
        const side& from = sides_[list % sides_.size()];
        reading result;
        for (std::size_t i = 0; i < result.counts.size(); ++i)
            result.counts[i] = from.counts[i].load(std::memory_order_relaxed);
        result.sum = nanoseconds(from.sum.load(std::memory_order_relaxed));
        return result;
    }

private:
    // The sum and the counts of short waits, which are most, are in one line of the cache: to fetch
    // more of them for each queue takes longer than to add.
    struct alignas(64) side
    {
        std::atomic<std::int64_t> sum{0};
        std::array<std::atomic<std::uint64_t>, bounds.size() + 1> counts{};
    };

    std::array<side, 2> sides_;
};

}  // namespace sluice::detail
