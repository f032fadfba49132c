// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

namespace sluice::cli {

// What the program tells its caller.
enum class exit_status : int
{
    done = 0,
    failed = 1,        // a stage failed, a time limit passed, or output was not accepted
    refused = 2,       // a wrong command line, or a description that cannot be run
    interrupted = 130  // SIGINT, SIGTERM or SIGHUP; what shells report for the first
};

}  // namespace sluice::cli
