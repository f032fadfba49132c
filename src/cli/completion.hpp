// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace sluice::cli {

// A script that completes commands, options, their values and the names of stages in bash.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

}  // namespace sluice::cli
