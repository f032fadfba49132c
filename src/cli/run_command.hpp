// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::cli {

// Runs a pipeline. Its results go to standard output, everything else to standard error.
// Does not return, but ends the process, if workers still run when the grace period is over.
[[nodiscard]] exit_status run_command(
    const run_arguments& arguments,
    const pipeline::pipeline_description& description,
    const pipeline::stage_registry& stages
);

}  // namespace sluice::cli
