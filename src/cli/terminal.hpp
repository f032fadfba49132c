// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/output.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

// What is shown to people, on a terminal or where its output was sent instead.
namespace sluice::cli {

[[nodiscard]] bool is_terminal(int descriptor) noexcept;

struct terminal_size
{
    std::size_t columns = 80;
    std::size_t lines = 24;
};

// The default is the usual size, for what a terminal does not tell of its own.
[[nodiscard]] terminal_size size_of_terminal(int descriptor) noexcept;

// So many columns that nothing is too wide, as in a file.
constexpr std::size_t unlimited_columns = std::numeric_limits<std::size_t>::max();

// How many columns a text on a descriptor may take: as many as the terminal has, and without limit
// where that is something else.
[[nodiscard]] std::size_t columns_for(int descriptor) noexcept;

// "0.01 s", "3.2 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds duration);

// The text, as text::printable() gives it, if it fits into so many columns; otherwise "..." and its
// longest end that does.
[[nodiscard]] std::string cut_to_end(std::string_view text, std::size_t columns);

// The titles of a table, or the cells of a row.
using table_row = std::vector<std::string>;

// A line for the titles and one for each row, behind blanks if they are to be indented; nothing for
// titles alone. The columns are two blanks apart and as wide as their widest cell. The first has
// names, aligned to the left, the others figures.
//
// No line is wider than the terminal: the last columns are left out if names would have less than
// twelve columns, and then of long names the end is shown.
[[nodiscard]] std::vector<std::string> table_lines(
    std::vector<table_row> rows,
    std::size_t columns = unlimited_columns,
    std::size_t indent = 0
);

// Lines at the bottom of a terminal that are redrawn in place.
/*
 * Data for the same terminal is written through write(), which takes the lines away
 * first; the next draw() puts them below the data. Nothing is drawn while the last line of
 * the data has no end, so that the data looks as it would without the display.
 *
 * Thread safety: any thread. draw() and erase() never wait for data that the terminal does
 * not take: without it they do nothing, or do not erase.
 */
class terminal_lines final : public pipeline::output
{
public:
    // The data goes on to another descriptor of the same terminal.
    terminal_lines(int descriptor, pipeline::output& data) noexcept
        : descriptor_(descriptor), data_(data)
    {
    }

    void draw(const std::vector<std::string>& lines);

    void erase();

    void write(std::string_view text) override;

private:
    void erase_locked();

    int descriptor_;
    pipeline::output& data_;
    std::mutex mutex_;
    std::size_t drawn_ = 0;      // guarded by mutex_: how many lines are there
    bool at_line_begin_ = true;  // guarded by mutex_: where the data has left the cursor
};

// Writes to a descriptor and ignores failures, because no run should fail or wait for its
// display. Gives up if nothing can be written for the time of `patience`. Returns the number of
// bytes written.
std::size_t write_best_effort(
    int descriptor,
    std::string_view text,
    std::chrono::milliseconds patience = {}
) noexcept;

// How long the last messages wait for a slow reader.
constexpr std::chrono::seconds patience_at_the_end(2);

// Shows a message, of one or more whole lines, on standard error: the one way there for texts
// that hold names and data, so that these cannot drive the terminal. Returns whether all of it was
// taken there.
bool show_message(std::string_view text) noexcept;

}  // namespace sluice::cli
