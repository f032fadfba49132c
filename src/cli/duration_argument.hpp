// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace sluice::cli {

// A duration as descriptions write it, such as "250ms"; empty if it is none.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration_argument(
    const std::string& text
);

}  // namespace sluice::cli
