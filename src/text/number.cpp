// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::text {

namespace {

struct byte_unit
{
    std::string_view name;
    std::uint64_t bytes;
    std::size_t most_digits;
};

// Those of 1024 from the largest down.
constexpr byte_unit byte_units[] = {
    {"GiB", 1U << 30U, 9},
    {"MiB", 1U << 20U, 9},
    {"KiB", 1U << 10U, 9},
    {"B", 1, 18},
    {"", 1, 18},
    {"kB", 1'000, 9},
    {"MB", 1'000'000, 9},
    {"GB", 1'000'000'000, 9},
};

// From the longest, in nanoseconds.
using time_unit = std::pair<std::string_view, std::int64_t>;
constexpr time_unit time_units[] = {
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

std::optional<std::uint64_t> parse_byte_size(std::string_view text) noexcept
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc())
        return std::nullopt;
    std::string_view name(rest, end);
    if (name.size() > 1 && name.starts_with(' '))
        name.remove_prefix(1);
    const auto* const unit = std::ranges::find(byte_units, name, &byte_unit::name);
    const auto digits = static_cast<std::size_t>(rest - text.data());
    if (unit == std::end(byte_units) || digits > unit->most_digits)
        return std::nullopt;
    return number * unit->bytes;
}

std::string byte_size_text(std::uint64_t bytes)
{
    const auto* const unit =
        std::ranges::find_if(byte_units, [bytes](const byte_unit& each) {
            return bytes >= each.bytes && bytes % each.bytes == 0;
        });
    if (unit == std::end(byte_units))
        return "0 B";
    return std::to_string(bytes / unit->bytes).append(" ").append(unit->name);
}

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text)
{
    constexpr std::size_t most_digits = 6;
    constexpr std::size_t most_decimals = 9;
    const std::size_t digits = digits_in(text);
    const bool has_point = text.substr(digits).starts_with('.');
    const std::size_t decimals = has_point ? digits_in(text.substr(digits + 1)) : 0;
    const std::size_t size = digits + decimals + (has_point ? 1 : 0);
    const auto* const unit =
        std::ranges::find(time_units, text.substr(size), &time_unit::first);
    if (digits == 0 || digits > most_digits || has_point != (decimals > 0) ||
        decimals > most_decimals || unit == std::end(time_units))
        return std::nullopt;
    double number = 0;
    (void)std::from_chars(text.data(), text.data() + size, number);
    // Six digits of hours fit into a std::chrono::nanoseconds.
    const double all = number * static_cast<double>(unit->second);
    return std::chrono::nanoseconds(std::llround(all));
}

std::string duration_text(std::chrono::nanoseconds duration)
{
    const auto count = duration.count();
    if (count == 0)
        return "0s";
    const auto divides = [count](const time_unit& unit) {
        return count % unit.second == 0;
    };
    const auto* const unit = std::ranges::find_if(time_units, divides);
    return fmt::format("{}{}", count / unit->second, unit->first);
}

}  // namespace sluice::text
