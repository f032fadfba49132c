// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

// The exit status of the program.
enum class exit_status : int
{
    done = 0,
    failed = 1,   // a stage failed, the timeout expired, or output could not be written
    refused = 2,  // a wrong command line, or a description that cannot be run
    interrupted = 130  // SIGINT, SIGTERM or SIGHUP; what shells report for the first
};

// The program, from its arguments on. An error ends it with a message.
[[nodiscard]] exit_status run_program(const std::vector<std::string>& arguments);

}  // namespace sluice::cli
