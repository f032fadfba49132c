// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers of bytes and durations as people read and write them.
namespace sluice::text {

// The texts that parse_byte_size() takes, for the schema. None of them is more than fits into
// 63 bits.
constexpr const char* byte_size_pattern =
    R"(^([0-9]{1,18}( ?B)?|[0-9]{1,9} ?(kB|MB|GB|KiB|MiB|GiB))$)";

// Those with a unit, which cannot be taken for a number of anything else.
constexpr const char* byte_size_with_unit_pattern =
    R"(^([0-9]{1,18} ?B|[0-9]{1,9} ?(kB|MB|GB|KiB|MiB|GiB))$)";

// Reads "64 MiB", "10GB", "512 B" and "512": kB is 1000 bytes, KiB is 1024.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_size(std::string_view text
) noexcept;

// The shortest text without a fraction, in units of 1024: "256 MiB", "1000 B".
[[nodiscard]] std::string byte_size_text(std::uint64_t bytes);

// The texts that parse_duration() takes, for the schema.
constexpr const char* duration_pattern = R"(^[0-9]{1,6}(\.[0-9]{1,9})?(h|m|s|ms|us|ns)$)";

// Reads "250ms", "1.5s", "2m".
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text
);

// The shortest text without a fraction.
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace sluice::text
