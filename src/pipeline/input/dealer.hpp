// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
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
    dealer(std::uint64_t count, const order_options& options)
        : count_(count),
          options_(options),
          epochs_left_(count == 0 ? 0 : options.epochs),
          next_(count),
          random_(
              options.seed ? static_cast<std::uint64_t>(*options.seed)
                           : std::random_device()()
          )
    {
        if (options.shuffle && count > most_to_shuffle)
            throw option_error(
                "shuffle",
                fmt::format("true, for {} numbers", count),
                fmt::format(
                    "false, and a shuffle queue, which mixes without keeping all, or at "
                    "most {} numbers",
                    most_to_shuffle
                )
            );
    }

    // Replaces `hand` by the next numbers, at most `max` and of one epoch. Returns whether
    // there were any.
    [[nodiscard]] bool deal(std::size_t max, std::vector<std::uint64_t>& hand)
    {
        hand.clear();
        const std::lock_guard lock(mutex_);
        if (next_ == count_) {
            if (epochs_left_ == 0)
                return false;
            begin_epoch();
        }
        const auto size = std::min<std::uint64_t>(max, count_ - next_);
        for (const std::uint64_t end = next_ + size; next_ != end; ++next_)
            hand.push_back(options_.shuffle ? order_[next_] : next_);
        dealt_.store(
            dealt_.load(std::memory_order_relaxed) + static_cast<double>(size),
            std::memory_order_relaxed
        );
        return true;
    }

    // Dealt numbers in relation to all.
    [[nodiscard]] double progress() const noexcept
    {
        const double all = static_cast<double>(count_) *
                           static_cast<double>(options_.epochs);
        return all == 0 ? 1 : dealt_.load(std::memory_order_relaxed) / all;
    }

private:
    // The order of all is kept in memory, eight bytes each.
    static constexpr std::uint64_t most_to_shuffle = 100'000'000;

    void begin_epoch()
    {
        --epochs_left_;
        next_ = 0;
        if (!options_.shuffle)
            return;
        if (order_.empty()) {
            order_.resize(count_);
            std::iota(order_.begin(), order_.end(), 0);
        }
        std::ranges::shuffle(order_, random_);
    }

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
