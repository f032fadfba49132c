// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// How often, and in which order: options that several sources have.
struct order_options
{
    std::int64_t epochs = 1;
    bool shuffle = false;
    std::optional<std::int64_t> seed;
};

// Adds them to those of a source, whose options derive from order_options.
template <class Options>
stage_options<Options>& add_order_options(
    stage_options<Options>& options,
    std::string how_often = "how often",
    std::string whether_shuffled = "whether each epoch has another order"
)
{
    return options
        .optional("epochs", &Options::epochs, std::move(how_often), {.minimum = 1})
        .optional("shuffle", &Options::shuffle, std::move(whether_shuffled))
        .optional(
            "seed",
            &Options::seed,
            "what the orders depend on; without it they differ from run to run"
        );
}

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
