// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "text_format.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <string>

namespace sluice::cli {

// The list of all stages, or the explanation of one, for so many columns. Throws command_error if
// the name is unknown.
[[nodiscard]] std::string stages_command(
    const stages_arguments& arguments,
    const pipeline::stage_registry& stages,
    std::size_t columns = unlimited_columns
);

}  // namespace sluice::cli
