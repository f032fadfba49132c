// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "duration_argument.hpp"

#include <sluice/pipeline/stage_options.hpp>

namespace sluice::cli {

std::optional<std::chrono::nanoseconds> parse_duration_argument(const std::string& text)
{
    std::chrono::nanoseconds duration{};
    if (pipeline::detail::read_value(nlohmann::json(text), duration))
        return std::nullopt;
    return duration;
}

}  // namespace sluice::cli
