// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/document.hpp"
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <vector>

namespace sluice::pipeline::detail {

// Replaces or adds the value that the override names, and objects on the way to it. What is
// new has line 0. If it cannot be done, the problem says why.
void override_document(
    document_node& root,
    const description_override& change,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
