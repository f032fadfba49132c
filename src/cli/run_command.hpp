// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/checked_description.hpp>

namespace sluice::cli {

// Runs a pipeline. Its results go to standard output, everything else to standard error.
// Does not return, but ends the process, if workers still run when the grace period is over.
[[nodiscard]] exit_status run_command(
    const command_line& line,
    pipeline::checked_description checked
);

}  // namespace sluice::cli
