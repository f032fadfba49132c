// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "graph_command.hpp"

#include "description_file.hpp"
#include "graph.hpp"

#include <ostream>

namespace sluice::cli {

void graph_command(
    const graph_arguments& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out
)
{
    const auto checked = load_description(arguments.description, stages);
    const auto& description = checked.description();
    out
        << (arguments.format == graph_format::dot ? to_dot(description)
                                                  : to_mermaid(description));
}

}  // namespace sluice::cli
