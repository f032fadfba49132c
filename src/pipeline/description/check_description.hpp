// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/document.hpp"
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <string>
#include <vector>

// Whether a description can be run: its parts, each for itself, and how they go together.
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
