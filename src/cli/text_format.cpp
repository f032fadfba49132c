// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text_format.hpp"

#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/metrics/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace sluice::cli {

namespace {

// The longest one that fits into so many columns.
std::string_view beginning_of(std::string_view text, std::size_t columns)
{
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view character = text::first_character(rest);
        const std::size_t width = text::columns_of(character);
        if (width > columns)
            break;
        columns -= width;
        rest.remove_prefix(character.size());
    }
    return text.substr(0, text.size() - rest.size());
}

}  // namespace

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

std::string cut(std::string_view text, std::size_t columns)
{
    std::string result = text::printable(text);
    result.resize(beginning_of(result, columns).size());
    return result;
}

std::string cut_to_end(std::string_view text, std::size_t columns)
{
    constexpr std::string_view mark = "...";
    const std::string whole = text::printable(text);
    if (text::columns_of(whole) <= columns)
        return whole;
    std::string_view end = whole;
    while (!end.empty() && text::columns_of(end) + mark.size() > columns)
        end.remove_prefix(text::first_character(end).size());
    return std::string(mark).append(end);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent)
{
    std::string result;
    while (text::columns_of(text) > columns) {
        const std::string_view fitting = beginning_of(text, columns);
        std::size_t blank = text.rfind(' ', fitting.size());
        if (blank == text.npos ||
            text.substr(0, blank).find_first_not_of(' ') == text.npos)
            blank = text.find(' ', fitting.size());
        if (blank == text.npos)
            break;
        result.append(text.substr(0, blank)).append("\n").append(indent, ' ');
        text.remove_prefix(blank + 1);
    }
    return result.append(text);
}

std::vector<std::string> table_lines(
    std::vector<table_row> rows,
    std::size_t columns,
    std::size_t indent
)
{
    constexpr std::size_t gap = 2;
    constexpr std::size_t least_name = 12;
    std::vector<std::size_t> widths;
    for (table_row& row : rows) {
        widths.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = text::printable(row[i]);
            widths[i] = std::max(widths[i], text::columns_of(row[i]));
        }
    }
    const auto room_for_names = [&] {
        std::size_t taken = indent;
        for (const std::size_t figures : widths | std::views::drop(1))
            taken += gap + figures;
        return columns - std::min(columns, taken);
    };
    while (widths.size() > 1 && room_for_names() < std::min(widths[0], least_name))
        widths.pop_back();
    std::vector<std::string> lines;
    for (const table_row& row : rows) {
        const std::size_t width = std::min(widths[0], room_for_names());
        const std::string name = cut_to_end(row[0], width);
        std::string& line = lines.emplace_back(indent, ' ');
        line += fmt::format("{:<{}}", name, width);
        for (std::size_t i = 1; i < widths.size(); ++i)
            line += fmt::format("{:>{}}", row[i], gap + widths[i]);
    }
    return lines;
}

}  // namespace sluice::cli
