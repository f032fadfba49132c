// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "text/printable.hpp"

#include <string>
#include <string_view>

namespace sluice::pipeline {

// How messages call a runner: "clean (filter)"; one without a name of its own as its stage,
// "filter".
[[nodiscard]] inline std::string runner_title(
    std::string_view name,
    std::string_view stage
)
{
    std::string title = text::printable(name);
    if (name != stage)
        title.append(" (").append(stage).append(")");
    return title;
}

}  // namespace sluice::pipeline
