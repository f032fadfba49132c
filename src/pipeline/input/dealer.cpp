// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/dealer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sluice::pipeline {

namespace {

// The order of all is kept in memory, eight bytes each.
constexpr std::uint64_t most_to_shuffle = 100'000'000;

std::mt19937_64 make_random(std::optional<std::int64_t> seed)
{
    return std::mt19937_64(
        seed ? static_cast<std::uint64_t>(*seed) : std::random_device()()
    );
}

}  // namespace

dealer::dealer(std::uint64_t count, const order_options& options)
    : count_(count),
      options_(options),
      epochs_left_(count == 0 ? 0 : options.epochs),
      next_(count),
      random_(make_random(options.seed))
{
    if (options.shuffle && count > most_to_shuffle)
        throw option_error(
            "shuffle",
            fmt::format("true, for {} numbers", count),
            fmt::format(
                "false, and a shuffle queue, which mixes without keeping all, or at most "
                "{} numbers",
                most_to_shuffle
            )
        );
}

bool dealer::deal(std::size_t max, std::vector<std::uint64_t>& hand)
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

double dealer::progress() const noexcept
{
    const double all = static_cast<double>(count_) * static_cast<double>(options_.epochs);
    return all == 0 ? 1 : dealt_.load(std::memory_order_relaxed) / all;
}

void dealer::begin_epoch()
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

}  // namespace sluice::pipeline
