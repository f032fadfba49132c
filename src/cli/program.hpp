// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "exit_status.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace sluice::cli {

// All of the program: what the arguments ask for, done with these stages. Never throws.
[[nodiscard]] exit_status run_program(
    const std::vector<std::string>& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out,
    std::ostream& err
);

}  // namespace sluice::cli
