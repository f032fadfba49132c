// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <vector>

namespace sluice::pipeline::detail {

// Checks a description, wherever it comes from, and makes its stages: one for each runner if
// there are no problems. Gives runners without a name that of their stage.
//
// A place that has a problem already gets no other: what was read there is not what was meant.
[[nodiscard]] std::vector<std::unique_ptr<stage>> check_description(
    pipeline_description& description,
    const stage_registry& stages,
    const address_check& addresses,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
