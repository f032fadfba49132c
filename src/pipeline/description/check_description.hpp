// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/check_graph.hpp"
#include "pipeline/description/document.hpp"
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <vector>

namespace sluice::pipeline::detail {

// Checks a description and makes its stages: one for each runner if there are no problems. Gives
// runners without a name that of their stage. With a document it reads the values first, part by
// part; otherwise a program has filled them in.
//
// A place that has a problem already gets no other: what was read there is not what was meant.
[[nodiscard]] made_stages check_description(
    const document* given,
    pipeline_description& description,
    const stage_registry& stages,
    const address_check& addresses,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
