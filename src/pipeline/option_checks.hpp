// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

// Checks that options of several stages have in common.
namespace sluice::pipeline {

// For a path or an argument of a program: the system would read it up to a NUL only. Throws
// option_error with the name of the option if it holds one.
inline void expect_no_nul(const char* option, const std::string& text)
{
    if (text.find('\0') != std::string::npos)
        throw option_error(
            option,
            detail::in_quotes(text),
            "a text without NUL (\\u0000)"
        );
}

// For the path of a file that is written.
inline void expect_file(const char* option, const std::string& path)
{
    expect_no_nul(option, path);
    if (path.empty() || path.ends_with('/'))
        throw option_error(option, detail::in_quotes(path), "the path of a file");
}

// One of the names that come several times: an object would lose all but one of these members.
[[nodiscard]] inline std::optional<std::string> repeated_name(
    std::vector<std::string> names
)
{
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found != names.end() ? std::optional(*found) : std::nullopt;
}

// Throws option_error with the name of the option if one of its names comes several times.
inline void expect_different_names(
    const char* option,
    const std::vector<std::string>& names
)
{
    if (const auto name = repeated_name(names))
        throw option_error(
            option,
            fmt::format("{} twice", detail::in_quotes(*name)),
            "different names"
        );
}

}  // namespace sluice::pipeline
