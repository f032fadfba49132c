// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "number_format.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace sluice::cli {

namespace {

std::string fixed(double value, int decimals)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

// Three digits: 1.23, 12.3, 123.
std::string three_digits(double value)
{
    return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string two_digits(std::int64_t value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string format_count(std::uint64_t count)
{
    std::string digits = std::to_string(count);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return digits;
}

std::string format_rate(double per_second)
{
    constexpr std::array<const char*, 4> units{"", " k", " M", " G"};
    std::size_t unit = 0;
    for (; per_second >= 999.5 && unit + 1 < units.size(); ++unit)
        per_second /= 1000;
    if (unit == 0)
        return fixed(per_second, per_second == 0 || per_second >= 99.95 ? 0 : 1) + "/s";
    return three_digits(per_second) + units[unit] + "/s";
}

std::string format_duration(std::chrono::nanoseconds duration)
{
    const double seconds = seconds_of(duration);
    if (seconds < 0.995)
        return fixed(seconds, 2) + " s";
    if (seconds < 59.95)
        return fixed(seconds, 1) + " s";
    const std::int64_t whole = std::llround(seconds);
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + two_digits(whole / 60 % 60) + " min";
}

std::string format_share(double share)
{
    return fixed(share * 100, 0) + " %";
}

double seconds_of(std::chrono::nanoseconds duration) noexcept
{
    return std::chrono::duration<double>(duration).count();
}

}  // namespace sluice::cli
