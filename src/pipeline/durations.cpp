// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/durations.hpp"

#include <boost/regex.hpp>

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

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text)
{
    static const boost::regex pattern(duration_pattern);
    if (!boost::regex_match(text.begin(), text.end(), pattern))
        return std::nullopt;
    double number = 0;
    const char* const end = text.data() + text.size();
    const std::string_view unit(std::from_chars(text.data(), end, number).ptr, end);
    const auto* const found =
        std::ranges::find(duration_units, unit, &duration_unit::name);
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
