// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::pipeline::detail {

// The texts that parse_duration() takes, for the schema.
constexpr const char* duration_pattern = R"(^[0-9]{1,6}(\.[0-9]{1,9})?(h|m|s|ms|us|ns)$)";

// Reads "250ms", "1.5s", "2m".
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text
);

// The shortest text without a fraction.
[[nodiscard]] std::string to_text(std::chrono::nanoseconds duration);

}  // namespace sluice::pipeline::detail
