// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <vector>

namespace sluice {

/// The options of a queue_runner.
struct queue_runner_options
{
    /// The name of the runner in reports; its workers are "name/0", "name/1" and so on.
    /// Empty: the name of its queue.
    std::string name = {};

    /// The names of the workers in reports, one for each operation, if "name/0" would not
    /// tell them apart: the workers of several stages that fill one queue. Empty: as said of
    /// `name`.
    std::vector<std::string> worker_names = {};
};

}  // namespace sluice
