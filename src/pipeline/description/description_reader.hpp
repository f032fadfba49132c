// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/document.hpp"
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <vector>

namespace sluice::pipeline::detail {

// The values of a document, unchecked. Names that are not known or missing and values of a
// wrong type are added to the problems, with pointers and without lines.
[[nodiscard]] pipeline_description read_values(
    const document_node& document,
    const stage_registry& stages,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
