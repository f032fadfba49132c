// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Figures, names and tables on a terminal.
namespace sluice::cli {

// A number of things per second in at most eight columns: "0/s", "12.5/s", "1.20 M/s".
[[nodiscard]] std::string format_rate(double per_second);

// "0 B", "1.5 KiB", "12 MiB"
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

// "0.01 s", "3.2 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds duration);

// When the server of a queue said how it is: "0.3 s ago", or "never".
[[nodiscard]] std::string format_reading(const metrics::remote_figures& remote);

// The longest beginning of a text, as text::printable() gives it, that fits into so many columns.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

// The text, as text::printable() gives it, if it fits into so many columns; otherwise "..." and its
// longest end that does.
[[nodiscard]] std::string cut_to_end(std::string_view text, std::size_t columns);

// The text in several lines of at most so many columns, as far as its blanks allow that. All but
// the first begin with so many blanks.
[[nodiscard]] std::string wrapped(
    std::string_view text,
    std::size_t columns,
    std::size_t indent = 0
);

// The same for each line of a text.
[[nodiscard]] std::string wrapped_lines(std::string_view text, std::size_t columns);

// So many columns that nothing is too wide, as in a file.
constexpr std::size_t unlimited_columns = std::numeric_limits<std::size_t>::max();

using table_row = std::vector<std::string>;

// The columns are as wide as their widest cell, aligned to the left ('<') or right ('>') and two
// blanks apart.
struct table
{
    std::string alignments = {};
    std::vector<table_row> rows = {};
    std::vector<std::size_t> spare = {
    };  // what a narrow terminal does without, in this order
};

// What is shown of each row of a table, perhaps below a title.
template <class Row>
struct column
{
    const char* title;
    std::string (*text)(const Row&);
    std::size_t spare = 0;  // what a narrow terminal does without, from 1 on
    char alignment = '>';
};

// Without rows there are no titles, nor if all are empty.
template <class Rows, class Row>
[[nodiscard]] table table_of(Rows&& rows, const std::vector<column<Row>>& columns)
{
    table result;
    table_row titles;
    bool has_titles = false;
    for (const column<Row>& each : columns) {
        result.alignments += each.alignment;
        titles.emplace_back(each.title);
        has_titles = has_titles || !titles.back().empty();
    }
    for (std::size_t order = 1; order <= columns.size(); ++order)
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].spare == order)
                result.spare.push_back(i);
    for (const Row& row : rows) {
        if (has_titles && result.rows.empty())
            result.rows.push_back(titles);
        table_row& cells = result.rows.emplace_back();
        for (const column<Row>& each : columns)
            cells.push_back(each.text(row));
    }
    return result;
}

// A line for each row, behind blanks if it is to be indented. None ends with a blank, nor is wider
// than the columns if that can be: first the spare columns are left out, then of long names in the
// first column the end is shown. Text in the last one, if it is aligned to the left, is wrapped.
[[nodiscard]] std::vector<std::string> table_lines(
    table given,
    std::size_t columns = unlimited_columns,
    std::size_t indent = 0
);

}  // namespace sluice::cli
