// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <iosfwd>

namespace sluice::cli {

// Lists all stages, or explains one. Throws command_error if there is none of that name.
void stages_command(
    const stages_arguments& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out
);

}  // namespace sluice::cli
