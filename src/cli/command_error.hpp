// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "exit_status.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::cli {

// Ends the program with a message, which may have several lines, and a status.
class command_error : public std::runtime_error
{
public:
    command_error(exit_status status, const std::string& message)
        : std::runtime_error(message), status_(status)
    {
    }

    [[nodiscard]] exit_status status() const noexcept { return status_; }

private:
    exit_status status_;
};

// For a name on the command line, of a `kind` of which only the `known` ones exist; where none
// of them is near, the message names the command that lists them.
[[nodiscard]] command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
);

}  // namespace sluice::cli
