// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_list.hpp"

#include "pipeline/seeded.hpp"

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

input_list::input_list(file_options options)
    : options_(std::move(options)),
      epochs_left_(options_.epochs),
      random_(seeded(options_.seed))
{
    if (options_.files.empty())
        throw option_error("files", "nothing", "at least one file");
    const auto inputs = std::ranges::count(options_.files, standard_input);
    if (inputs > 1)
        throw option_error("files", "\"-\" twice", "standard input at most once");
    if (inputs == 1 && options_.epochs > 1)
        throw option_error(
            "epochs",
            std::to_string(options_.epochs),
            "1, because standard input can be read only once"
        );
}

std::optional<std::string> input_list::next()
{
    const std::lock_guard lock(mutex_);
    if (inputs_.empty())
        find();
    if (next_ == inputs_.size()) {
        if (epochs_left_ == 0)
            return std::nullopt;
        begin_epoch();
    }
    const std::string& path = inputs_[next_++].path;
    if (path == standard_input)
        claim_.emplace();
    return path;
}

void input_list::add_progress(std::size_t bytes) noexcept
{
    read_.fetch_add(bytes, std::memory_order_relaxed);
}

std::optional<double> input_list::progress() const noexcept
{
    const auto total = static_cast<double>(total_.load(std::memory_order_relaxed));
    const auto read = static_cast<double>(read_.load(std::memory_order_relaxed));
    if (total == 0)
        return std::nullopt;
    return std::min(1.0, read / total);  // a file may have grown meanwhile
}

void input_list::find()
{
    inputs_ = find_inputs(options_.files, options_.match);
    next_ = inputs_.size();
    std::uint64_t sum = 0;
    for (const found_input& each : inputs_) {
        if (!each.size)
            return;
        sum += *each.size;
    }
    const auto epochs = static_cast<std::uint64_t>(options_.epochs);
    total_.store(sum * epochs, std::memory_order_relaxed);
}

void input_list::begin_epoch()
{
    --epochs_left_;
    next_ = 0;
    if (options_.shuffle)
        std::ranges::shuffle(inputs_, random_);
}

}  // namespace sluice::pipeline
