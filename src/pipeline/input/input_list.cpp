// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_list.hpp"

#include "pipeline/option_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

input_list::input_list(file_options options) : options_(std::move(options))
{
    if (options_.files.empty())
        throw option_error("files", "nothing", "at least one file");
    expect_no_nul("match", options_.match);
    for (std::size_t i = 0; i < options_.files.size(); ++i) {
        std::string& file = options_.files[i];
        if (file.empty())
            throw option_error(
                fmt::format("files/{}", i),
                R"("")",
                "the path of a file or directory"
            );
        expect_no_nul("files", file);
        if (is_standard_input(file))
            file = standard_input;
    }
    const auto inputs = std::ranges::count(options_.files, standard_input);
    if (inputs > 1)
        throw option_error(
            "files",
            "standard input twice",
            R"(standard input at most once, as "-" or by another name)"
        );
    if (inputs == 1 && options_.epochs > 1)
        throw option_error(
            "epochs",
            fmt::to_string(options_.epochs),
            "1, because standard input can be read only once"
        );
}

std::optional<std::string> input_list::next()
{
    const std::lock_guard lock(mutex_);
    if (!order_)
        find();
    std::vector<std::uint64_t> dealt;
    if (!order_->deal(1, dealt))
        return std::nullopt;
    const std::string& path = inputs_[dealt.front()].path;
    if (path == standard_input)
        claim_.emplace();
    return path;
}

stage_files input_list::files() const
{
    stage_files result{.read = options_.files, .match = options_.match};
    result.reads_standard_input = std::erase(result.read, standard_input) > 0;
    return result;
}

std::optional<double> input_list::progress() const noexcept
{
    const auto total = static_cast<double>(total_.load(std::memory_order_relaxed));
    const auto read = static_cast<double>(read_.load(std::memory_order_relaxed));
    if (total == 0)
        return std::nullopt;
    return std::min(1.0, read / total);  // a file may have grown meanwhile
}

std::optional<std::size_t> input_list::parts() const noexcept
{
    const std::size_t parts = parts_.load(std::memory_order_relaxed);
    return parts > 0 ? std::optional(parts) : std::nullopt;
}

void input_list::find()
{
    inputs_ = find_inputs(options_.files, options_.match);
    order_.emplace(inputs_.size(), options_);
    const auto epochs = static_cast<std::uint64_t>(options_.epochs);
    parts_.store(inputs_.size() * epochs, std::memory_order_relaxed);
    std::uint64_t sum = 0;
    for (const found_input& each : inputs_) {
        if (!each.size)
            return;
        sum += *each.size;
    }
    total_.store(sum * epochs, std::memory_order_relaxed);
}

}  // namespace sluice::pipeline
