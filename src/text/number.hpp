// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

// Numbers as people read and write them, whatever the locale. fmt::to_string() writes the
// others: a double gets as few digits as tell it apart, and a whole one no point.
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

}  // namespace sluice::text
