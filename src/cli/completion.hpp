// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

// What shells complete. Their scripts ask the command, so that it is said in one place.
namespace sluice::cli {

// SHELL of `sluice completion`
extern const std::vector<std::string> shells;

// A script that lets the shell of that number complete what completions_of() gives, and names of
// files where that is nothing.
[[nodiscard]] std::string completion_script(std::size_t shell);

// The words that the last one of a command line, without the name of the program, may become: in a
// line each, with a tab and a summary behind it. Commands, options, their values and the names of
// stages.
[[nodiscard]] std::string completions_of(
    const CLI::App& app,
    std::vector<std::string> line
);

}  // namespace sluice::cli
