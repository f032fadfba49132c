// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <vector>

namespace sluice::pipeline {

/// What is wrong with a description whose parts are right, each for itself.
/**
 * A queue that no runner fills or no runner empties; a source with "from", a sink with "to", any
 * other stage without; a cycle of queues, which could never end, because each waits for
 * another to be closed first; elements of a kind that the next stage does not take, or that
 * a queue cannot compare.
 *
 * @return the problems; their lines are 0, their pointers those of the document.
 */
[[nodiscard]] std::vector<problem> check_structure(
    const pipeline_description& description,
    const stage_registry& stages
);

}  // namespace sluice::pipeline
