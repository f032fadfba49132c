// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/checked_description.hpp>

#include "pipeline/description/check_description.hpp"
#include "pipeline/description/file_conflicts.hpp"

#include <utility>

namespace sluice::pipeline {

checked_description::checked_description(
    pipeline_description description,
    const stage_registry& stages
)
    : description_(std::move(description))
{
    std::vector<problem> problems;
    stages_ = detail::check_description(description_, stages, problems);
    if (!problems.empty())
        throw description_error(std::move(problems));
}

std::string checked_description::use_of_file(const std::string& path) const
{
    return detail::use_of_file(path, description_, stages_);
}

}  // namespace sluice::pipeline
