// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <iosfwd>

namespace sluice::cli {

// Prints a described pipeline as a graph.
void graph_command(
    const graph_arguments& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out
);

}  // namespace sluice::cli
