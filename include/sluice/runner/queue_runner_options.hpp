// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace sluice {

/// The options of a queue_runner.
struct queue_runner_options
{
    /// The name of the runner in reports; its workers are "name/0", "name/1" and so on.
    /// Empty: the name of its queue.
    std::string name = {};
};

}  // namespace sluice
