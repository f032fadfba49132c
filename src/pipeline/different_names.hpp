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

namespace sluice::pipeline {

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
