// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "terminal.hpp"

#include "io/io.hpp"
#include "text/printable.hpp"
#include "text_format.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <climits>
#include <new>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sluice::cli {

bool is_terminal(int descriptor) noexcept
{
    return ::isatty(descriptor) == 1;
}

terminal_size size_of_terminal(int descriptor) noexcept
{
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
        size.ws_row == 0)
        return {};
    return {.columns = size.ws_col, .lines = size.ws_row};
}

std::size_t columns_for(int descriptor) noexcept
{
    return is_terminal(descriptor) ? size_of_terminal(descriptor).columns
                                   : unlimited_columns;
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
