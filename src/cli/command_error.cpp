// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_error.hpp"

#include <sluice/pipeline/problem.hpp>

namespace sluice::cli {

command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
)
{
    const std::string near = pipeline::nearest_name(name, known);
    return {
        exit_status::refused,
        "sluice: there is no " + kind + " \"" + name + "\"; " +
            (near.empty() ? "`" + list_command + "` lists all"
                          : "did you mean \"" + near + "\"?")
    };
}

}  // namespace sluice::cli
