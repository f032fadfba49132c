// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text_format.hpp"

#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/metrics/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace sluice::cli {

std::string format_rate(double per_second)
{
    constexpr std::array units{"", " k", " M", " G"};
    std::size_t unit = 0;
    for (; per_second >= 999.5 && unit + 1 < units.size(); ++unit)
        per_second /= 1000;
    // Three digits, but one decimal below a thousand: small rates are not more exact.
    const int decimals = per_second == 0 || per_second >= 99.95 ? 0
                         : unit == 0 || per_second >= 9.995     ? 1
                                                                : 2;
    return fmt::format("{:.{}f}{}/s", per_second, decimals, units[unit]);
}

std::string format_bytes(std::uint64_t bytes)
{
    constexpr std::array units{"B", "KiB", "MiB", "GiB"};
    constexpr double kibi = 1024;
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= kibi && unit + 1 < units.size(); ++unit)
        number /= kibi;
    const int decimals = unit == 0 || number >= 9.95 ? 0 : 1;
    return fmt::format("{:.{}f} {}", number, decimals, units[unit]);
}

std::string format_duration(std::chrono::nanoseconds duration)
{
    const double seconds = metrics::seconds_of(duration);
    if (seconds < 59.95)
        return fmt::format("{:.{}f} s", seconds, seconds < 0.995 ? 2 : 1);
    const long long whole = std::llround(seconds);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string format_reading(const metrics::remote_figures& remote)
{
    return remote.read_ago ? format_duration(*remote.read_ago) + " ago" : "never";
}

std::string cut(std::string_view text, std::size_t columns)
{
    std::string result = text::printable(text);
    std::string_view rest = result;
    while (!rest.empty()) {
        const std::string_view character = text::first_character(rest);
        const std::size_t width = text::columns_of(character);
        if (width > columns)
            break;
        columns -= width;
        rest.remove_prefix(character.size());
    }
    result.resize(result.size() - rest.size());
    return result;
}

std::string cut_to_end(std::string_view text, std::size_t columns)
{
    constexpr std::string_view mark = "...";
    const std::string whole = text::printable(text);
    std::size_t width = text::columns_of(whole);
    if (width <= columns)
        return whole;
    std::string_view rest = whole;
    while (!rest.empty() && width + mark.size() > columns) {
        const std::string_view character = text::first_character(rest);
        width -= std::min(width, text::columns_of(character));
        rest.remove_prefix(character.size());
    }
    return std::string(mark).append(rest);
}

std::vector<std::string> table_lines(
    std::string_view alignments,
    std::vector<table_row> rows
)
{
    for (table_row& row : rows)
        for (std::string& cell : row)
            cell = text::printable(cell);
    std::vector<std::size_t> widths(alignments.size());
    for (const table_row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], text::columns_of(row[i]));

    std::vector<std::string> lines;
    for (const table_row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto* const format = alignments[i] == '<' ? "{:<{}}  " : "{:>{}}  ";
            fmt::format_to(
                std::back_inserter(line),
                fmt::runtime(format),
                row[i],
                widths[i]
            );
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace sluice::cli
