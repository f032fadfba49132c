// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "terminal.hpp"

#include "io/io.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/metrics/figures.hpp>

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <new>
#include <ranges>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sluice::cli {

bool is_terminal(int descriptor) noexcept
{
    return ::isatty(descriptor) == 1;
}

terminal_size size_of_terminal(int descriptor) noexcept
{
    terminal_size known;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0)
        return known;
    if (size.ws_col != 0)
        known.columns = size.ws_col;
    if (size.ws_row != 0)
        known.lines = size.ws_row;
    return known;
}

std::size_t columns_for(int descriptor) noexcept
{
    return is_terminal(descriptor) ? size_of_terminal(descriptor).columns
                                   : unlimited_columns;
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

std::string cut_to_end(std::string_view text, std::size_t columns)
{
    constexpr std::string_view mark = "...";
    std::string whole = text::printable(text);
    std::size_t width = text::columns_of(whole);
    if (width <= columns)
        return whole;
    std::string_view end = whole;
    while (!end.empty() && width + mark.size() > columns) {
        const std::string_view first = text::first_character(end);
        width -= text::columns_of(first);
        end.remove_prefix(first.size());
    }
    return std::string(mark).append(end);
}

std::vector<std::string> table_lines(
    std::vector<table_row> rows,
    std::size_t columns,
    std::size_t indent
)
{
    if (rows.size() < 2)
        return {};
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

void terminal_lines::draw(const std::vector<std::string>& lines)
{
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !at_line_begin_)
        return;
    // One write for all of it, so that the terminal shows no half-drawn state.
    std::string text = drawn_ > 0 ? fmt::format("\x1B[{}A", drawn_) : "";
    for (const std::string& line : lines)
        text += "\r" + line + "\x1B[K\n";
    write_best_effort(descriptor_, text + "\x1B[J");
    drawn_ = lines.size();
}

void terminal_lines::erase()
{
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock)
        erase_locked();
}

void terminal_lines::write(std::string_view text)
{
    if (text.empty())
        return;
    const std::lock_guard lock(mutex_);
    erase_locked();
    at_line_begin_ = text.ends_with('\n');
    data_.write(text);
}

void terminal_lines::erase_locked()
{
    if (drawn_ > 0)
        write_best_effort(descriptor_, fmt::format("\r\x1B[{}A\x1B[J", drawn_));
    drawn_ = 0;
}

std::size_t write_best_effort(
    int descriptor,
    std::string_view text,
    std::chrono::milliseconds patience
) noexcept
{
    // A pipe that is ready takes a piece of this size without waiting.
    constexpr std::size_t piece = PIPE_BUF;
    std::size_t written = 0;
    while (written < text.size() && io::is_ready_within(patience, descriptor, POLLOUT)) {
        const ssize_t count = io::write(descriptor, text.substr(written, piece));
        if (count < 0)
            break;
        written += static_cast<std::size_t>(count);
    }
    return written;
}

bool show_message(std::string_view text) noexcept
{
    try {
        const std::string shown = text::printable_lines(text);
        return write_best_effort(STDERR_FILENO, shown, patience_at_the_end) ==
               shown.size();
    } catch (const std::bad_alloc&) {
        write_best_effort(STDERR_FILENO, "sluice: out of memory\n", patience_at_the_end);
        return false;
    }
}

}  // namespace sluice::cli
