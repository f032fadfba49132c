// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace sluice::cli {

// SHELL of `sluice completion`
enum class shell
{
    bash,
    fish,
    zsh
};

// A script that completes commands, options, their values and the names of stages in a shell.
[[nodiscard]] std::string completion_script(shell shell, const CLI::App& app);

}  // namespace sluice::cli
