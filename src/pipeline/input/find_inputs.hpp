// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// What stands for standard input where a file is named.
inline constexpr std::string_view standard_input = "-";

// A file to read, and its size, unless that cannot be known before.
struct found_input
{
    std::string path;
    std::optional<std::uint64_t> size;
};

// Whether a name stands for standard input: "-", or another name of it, such as /dev/stdin.
[[nodiscard]] bool is_standard_input(const std::string& name);

// The files that are named: files themselves, directories with all they contain whose name
// matches, patterns such as "logs/*.gz", and "-". Those of a directory or a pattern are
// sorted; results that are not complete, also what a killed run has left, are not among them.
// Throws an error with its name if there is nothing behind one of them.
[[nodiscard]] std::vector<found_input> find_inputs(
    const std::vector<std::string>& names,
    const std::string& match
);

// The folders among what a pattern, or a name, stands for; those that cannot be read are left out.
[[nodiscard]] std::vector<std::string> find_folders(const std::string& pattern);

}  // namespace sluice::pipeline
