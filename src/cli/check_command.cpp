// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "check_command.hpp"

#include "description_file.hpp"

#include <ostream>
#include <string>

namespace sluice::cli {

namespace {

std::string counted(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void check_command(
    const check_arguments& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out
)
{
    const auto checked = load_description(arguments.description, stages);
    const auto& description = checked.description();
    out << description.name << ": no mistakes; "
        << counted(description.queues.size(), "queue") << ", "
        << counted(description.runners.size(), "runner") << '\n';
}

}  // namespace sluice::cli
