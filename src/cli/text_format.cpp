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
    result.resize(beginning_of(result, columns).size());
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

std::string wrapped_lines(std::string_view text, std::size_t columns)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += wrapped(text.substr(0, end), columns);
        const std::size_t newline = end < text.size() ? 1 : 0;
        result += text.substr(end, newline);
        text.remove_prefix(end + newline);
    }
    return result;
}

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_name = 20;  // of which so many columns are whole
constexpr std::size_t least_text = 24;

// A table with the widths of its columns, as far as they are shown.
class fitted_table
{
public:
    fitted_table(table&& given, std::size_t columns, std::size_t indent)
        : table_(std::move(given)),
          columns_(columns),
          indent_(indent),
          widths_(table_.alignments.size()),
          is_shown_(widths_.size(), true)
    {
        for (table_row& row : table_.rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                row[i] = text::printable(row[i]);
                widths_[i] = std::max(widths_[i], text::columns_of(row[i]));
            }
        for (const std::size_t spare : table_.spare)
            if (room_for_names() < std::min(widths_[0], least_name))
                is_shown_[spare] = false;
        widths_[0] = std::min(widths_[0], room_for_names());
    }

    std::string line_of(const table_row& row) const
    {
        std::string line(indent_, ' ');
        std::size_t width = indent_;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!is_shown_[i])
                continue;
            if (is_text(i)) {
                const std::size_t room = columns_ - std::min(columns_, width);
                line += wrapped(row[i], std::max(room, least_text), width);
                break;
            }
            const auto* const format = table_.alignments[i] == '<' ? "{:<{}}  "
                                                                   : "{:>{}}  ";
            fmt::format_to(
                std::back_inserter(line),
                fmt::runtime(format),
                i == 0 ? cut_to_end(row[i], widths_[i]) : row[i],
                widths_[i]
            );
            width += widths_[i] + gap;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        return line;
    }

    const std::vector<table_row>& rows() const { return table_.rows; }

private:
    // Text at the end is broken into several lines.
    bool is_text(std::size_t column) const
    {
        return column > 0 && column + 1 == widths_.size() &&
               table_.alignments[column] == '<';
    }

    std::size_t room_for_names() const
    {
        std::size_t taken = indent_;
        for (std::size_t i = 1; i < widths_.size(); ++i)
            if (is_shown_[i])
                taken += gap +
                         (is_text(i) ? std::min(widths_[i], least_text) : widths_[i]);
        return columns_ - std::min(columns_, taken);
    }

    table table_;
    std::size_t columns_;
    std::size_t indent_;
    std::vector<std::size_t> widths_;
    std::vector<bool> is_shown_;
};

}  // namespace

std::vector<std::string> table_lines(table given, std::size_t columns, std::size_t indent)
{
    std::vector<std::string> lines;
    if (given.alignments.empty())
        return lines;
    const fitted_table fitted(std::move(given), columns, indent);
    for (const table_row& row : fitted.rows())
        lines.push_back(fitted.line_of(row));
    return lines;
}

}  // namespace sluice::cli
