// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_registry.hpp>

#include <string>

namespace sluice::cli {

// The explanation of a stage, or the list of all if the name is empty. Throws command_error if the
// name is unknown.
[[nodiscard]] std::string stages_command(
    const std::string& name,
    const pipeline::stage_registry& stages
);

}  // namespace sluice::cli
