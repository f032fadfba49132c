// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>

namespace sluice::bench {

/// Passes elements from two processes to two others through a queue; nanoseconds from the moment
/// at which all are connected until the last has ended.
double pass_between_processes(
    const std::string& socket,
    std::size_t items,
    std::size_t batch
);

/// What such a process does: `arguments` is what follows `--process` on the command line.
int run_process(int count, char** arguments);

}  // namespace sluice::bench
