// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sluice::pipeline::detail {

namespace {

struct duration_unit
{
    std::string_view name;
    std::int64_t nanoseconds;
};

constexpr duration_unit duration_units[] = {
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
    std::size_t size = digits;
    if (text.substr(size).starts_with('.')) {
        const std::size_t decimals = digits_in(text.substr(size + 1));
        if (decimals == 0 || decimals > most_decimals)
            return std::nullopt;
        size += 1 + decimals;
    }
    const auto* const found =
        std::ranges::find(duration_units, text.substr(size), &duration_unit::name);
    if (digits == 0 || digits > most_digits || found == std::end(duration_units))
        return std::nullopt;
    double number = 0;
    (void)std::from_chars(text.data(), text.data() + size, number);
    // Six digits of hours fit into a std::chrono::nanoseconds.
    return std::chrono::nanoseconds(
        std::llround(number * static_cast<double>(found->nanoseconds))
    );
}

std::string to_text(std::chrono::nanoseconds duration)
{
    if (duration == std::chrono::nanoseconds::zero())
        return "0s";
    const auto* const unit =
        std::ranges::find_if(duration_units, [duration](const duration_unit& each) {
            return duration.count() % each.nanoseconds == 0;
        });
    return fmt::format("{}{}", duration.count() / unit->nanoseconds, unit->name);
}

}  // namespace sluice::pipeline::detail
