// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/order_options.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

namespace sluice::pipeline {

// Deals the numbers from 0 to count - 1 to the workers of a source, epoch after epoch. All
// members may be called from any thread.
class dealer
{
public:
    // Throws option_error if there are too many numbers to be shuffled.
    dealer(std::uint64_t count, const order_options& options);

    // Replaces `hand` by the next numbers, at most `max` and of one epoch. Returns whether
    // there were any.
    [[nodiscard]] bool deal(std::size_t max, std::vector<std::uint64_t>& hand);

    // Dealt numbers in relation to all.
    [[nodiscard]] double progress() const noexcept;

private:
    void begin_epoch();

    const std::uint64_t count_;
    const order_options options_;
    std::mutex mutex_;
    std::int64_t epochs_left_;          // not begun; guarded by mutex_
    std::uint64_t next_;                // position in the epoch; guarded by mutex_
    std::vector<std::uint64_t> order_;  // if shuffled; guarded by mutex_
    std::mt19937_64 random_;            // guarded by mutex_
    std::atomic<double> dealt_ = 0;  // a double, because epochs * count may be too large
};

}  // namespace sluice::pipeline
