// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage.hpp>

#include <memory>
#include <string>
#include <vector>

// What the runners of a description do to files, and where that does not go together.
namespace sluice::pipeline::detail {

// The stages, one for each runner of the description.
using made_stages = std::vector<std::unique_ptr<stage>>;

// Two runners that write one file, and a file that is written where a source would find it.
[[nodiscard]] std::vector<problem> find_file_conflicts(
    const pipeline_description& description,
    const made_stages& stages
);

// What a runner does with the file of a path: `the runner "count" writes it`; empty if no runner
// reads or replaces it.
[[nodiscard]] std::string use_of_file(
    const std::string& path,
    const pipeline_description& description,
    const made_stages& stages
);

}  // namespace sluice::pipeline::detail
