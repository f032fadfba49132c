// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

// From the longest, in nanoseconds.
using unit_type = std::pair<std::string_view, std::int64_t>;
constexpr unit_type units[] = {
    {"h", 3'600'000'000'000},
    {"m", 60'000'000'000},
    {"s", 1'000'000'000},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1}
};

// How many digits it begins with.
std::size_t digits_in(std::string_view text) noexcept
{
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text)
{
    constexpr std::size_t most_digits = 6;
    constexpr std::size_t most_decimals = 9;
    const std::size_t digits = digits_in(text);
    const bool has_point = text.substr(digits).starts_with('.');
    const std::size_t decimals = has_point ? digits_in(text.substr(digits + 1)) : 0;
    const std::size_t size = digits + decimals + (has_point ? 1 : 0);
    const auto* const unit =
        std::ranges::find(units, text.substr(size), &unit_type::first);
    if (digits == 0 || digits > most_digits || has_point != (decimals > 0) ||
        decimals > most_decimals || unit == std::end(units))
        return std::nullopt;
    double number = 0;
    (void)std::from_chars(text.data(), text.data() + size, number);
    // Six digits of hours fit into a std::chrono::nanoseconds.
    const double all = number * static_cast<double>(unit->second);
    return std::chrono::nanoseconds(std::llround(all));
}

std::string to_text(std::chrono::nanoseconds duration)
{
    const auto count = duration.count();
    if (count == 0)
        return "0s";
    const auto divides = [count](const unit_type& unit) {
        return count % unit.second == 0;
    };
    const auto* const unit = std::ranges::find_if(units, divides);
    return fmt::format("{}{}", count / unit->second, unit->first);
}

}  // namespace sluice::pipeline::detail
