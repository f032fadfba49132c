// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::cli {

// Reads the description that a command names. Throws command_error if it cannot be read, or
// has mistakes: with all of them, a line each, that begins with the name of the file.
[[nodiscard]] pipeline::checked_description load_description(
    const description_arguments& arguments,
    const pipeline::stage_registry& stages
);

}  // namespace sluice::cli
