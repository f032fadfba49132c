// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Figures, names and tables on a terminal.
namespace sluice::cli {

// "0.01 s", "3.2 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds duration);

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

// So many columns that nothing is too wide, as in a file.
constexpr std::size_t unlimited_columns = std::numeric_limits<std::size_t>::max();

using table_row = std::vector<std::string>;

// A column of a table: its title, and what it shows of each row.
template <class Row>
struct column
{
    const char* title;
    std::string (*text)(const Row&);
};

// The titles and a row for each element of a range; nothing if that is empty.
template <class Rows, class Row>
[[nodiscard]] std::vector<table_row> table_of(
    Rows&& rows,
    const std::vector<column<Row>>& columns
)
{
    std::vector<table_row> table;
    for (const Row& row : rows) {
        if (table.empty()) {
            table.emplace_back();
            for (const column<Row>& each : columns)
                table.front().emplace_back(each.title);
        }
        table_row& cells = table.emplace_back();
        for (const column<Row>& each : columns)
            cells.push_back(each.text(row));
    }
    return table;
}

// A line for each row, behind blanks if it is to be indented. The columns are two blanks apart and
// as wide as their widest cell. The first has names, aligned to the left, the others figures.
//
// No line is wider than the terminal: the last columns are left out if names would have less than
// twelve columns, and then of long names the end is shown.
[[nodiscard]] std::vector<std::string> table_lines(
    std::vector<table_row> rows,
    std::size_t columns = unlimited_columns,
    std::size_t indent = 0
);

}  // namespace sluice::cli
