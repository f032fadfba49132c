// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <string>
#include <vector>

// How the runners of a description go together, each of which is right for itself.
namespace sluice::pipeline::detail {

// The stages, one for each runner of the description.
using made_stages = std::vector<std::unique_ptr<stage>>;

// What check_structure() finds; else runners that would acknowledge elements of a server which are
// not safe yet; else two runners that write one file, and a file that is written where a source
// would find it.
[[nodiscard]] std::vector<problem> check_graph(
    const pipeline_description& whole,
    const stage_registry& registry,
    const made_stages& stages
);

// What a runner does with the file of a path: `the runner "count" writes it`; empty if no runner
// reads or replaces it.
[[nodiscard]] std::string use_of_file(
    const std::string& path,
    const pipeline_description& whole,
    const made_stages& stages
);

// The name of a queue on its server.
[[nodiscard]] std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
);

}  // namespace sluice::pipeline::detail
