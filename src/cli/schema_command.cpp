// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schema_command.hpp"

#include <sluice/pipeline/read_description.hpp>

#include <ostream>

namespace sluice::cli {

void schema_command(const pipeline::stage_registry& stages, std::ostream& out)
{
    out << pipeline::description_schema(stages).dump(2) << '\n';
}

}  // namespace sluice::cli
