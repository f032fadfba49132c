// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_registry.hpp>

#include <iosfwd>

namespace sluice::cli {

// Prints the JSON Schema of descriptions.
void schema_command(const pipeline::stage_registry& stages, std::ostream& out);

}  // namespace sluice::cli
