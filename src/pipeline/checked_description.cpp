// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/checked_description.hpp>

#include "pipeline/description/check_description.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

checked_description::checked_description(
    pipeline_description description,
    const stage_registry& stages
)
    : description_(std::move(description))
{
    std::vector<problem> problems;
    stages_ = detail::check_description(nullptr, description_, stages, {}, problems);
    if (!problems.empty())
        throw description_error(std::move(problems));
}

void checked_description::run_only(std::vector<std::string> runners)
{
    if (auto problems = detail::check_selection(description_, runners);
        !runners.empty() && !problems.empty())
        throw description_error(std::move(problems));
    only_ = std::move(runners);
}

bool checked_description::runs(const std::string& runner) const
{
    return only_.empty() || std::ranges::count(only_, runner) > 0;
}

bool checked_description::runs_queue(const std::string& queue) const
{
    return std::ranges::any_of(description_.runners, [&](const auto& each) {
        return runs(each.name) && detail::uses_queue(each, queue);
    });
}

std::string checked_description::use_of_file(const std::string& path) const
{
    return detail::use_of_file(path, description_, stages_);
}

std::vector<std::string> checked_description::readers_of_standard_input() const
{
    std::vector<std::string> readers;
    for (std::size_t i = 0; i < stages_.size(); ++i)
        if (const std::string& runner = description_.runners[i].name;
            runs(runner) && stages_[i]->files().reads_standard_input)
            readers.push_back(runner);
    return readers;
}

}  // namespace sluice::pipeline
