// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/durations.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
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

// One to `most` digits at the front, which are taken away; nothing if there are none.
std::string_view take_digits(std::string_view& text, std::size_t most)
{
    const auto end = std::find_if_not(text.begin(), text.end(), text::is_digit);
    const auto count = std::min(static_cast<std::size_t>(end - text.begin()), most);
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text)
{
    // Six digits of hours fit into a std::chrono::nanoseconds.
    const std::string_view whole = take_digits(text, 6);
    if (whole.empty())
        return std::nullopt;
    std::string number(whole);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        const std::string_view fraction = take_digits(text, 9);
        if (fraction.empty())
            return std::nullopt;
        number.append(".").append(fraction);
    }
    for (const duration_unit& unit : duration_units) {
        if (text != unit.name)
            continue;
        double value = 0;
        std::from_chars(number.data(), number.data() + number.size(), value);
        return std::chrono::nanoseconds(
            std::llround(value * static_cast<double>(unit.nanoseconds))
        );
    }
    return std::nullopt;
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
