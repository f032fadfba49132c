// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

// Numbers, sizes and durations as people read and write them, whatever the locale.
// fmt::format() writes the others: a double gets as few digits as tell it apart, and a whole one no
// point.
namespace sluice::text {

[[nodiscard]] constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

// All of the text as a whole number in decimal digits; empty if it is none, or does not fit.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text) noexcept
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return number;
}

// "1,234,567"
[[nodiscard]] inline std::string with_separators(std::uint64_t number)
{
    const std::string digits = std::to_string(number);
    std::string separated;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            separated += ',';
        separated += digits[i];
    }
    return separated;
}

// "37 %" of a share from 0 to 1
[[nodiscard]] inline std::string percent(double share)
{
    return std::to_string(std::lround(share * 100)) + " %";
}

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
