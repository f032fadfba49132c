// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "terminal.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sluice::cli {

bool is_terminal(int descriptor) noexcept
{
    return ::isatty(descriptor) == 1;
}

display_size size_of_terminal(int descriptor) noexcept
{
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
        size.ws_row == 0)
        return {};
    return {.columns = size.ws_col, .lines = size.ws_row};
}

void terminal_lines::draw(const std::vector<std::string>& lines)
{
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !at_line_begin_)
        return;
    // One write for all of it, so that the terminal shows no half-drawn state.
    std::string text;
    if (drawn_ > 0)
        text += "\x1B[" + std::to_string(drawn_) + "A";
    for (const std::string& line : lines)
        text += "\r" + line + "\x1B[K\n";
    text += "\x1B[J";
    write_for_person(descriptor_, text);
    drawn_ = lines.size();
}

void terminal_lines::erase()
{
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock)
        erase_locked();
}

void terminal_lines::write_above(pipeline::output& data, std::string_view text)
{
    if (text.empty())
        return;
    const std::lock_guard lock(mutex_);
    erase_locked();
    at_line_begin_ = text.ends_with('\n');
    data.write(text);
}

void terminal_lines::erase_locked()
{
    if (drawn_ > 0)
        write_for_person(descriptor_, "\r\x1B[" + std::to_string(drawn_) + "A\x1B[J");
    drawn_ = 0;
}

void write_for_person(
    int descriptor,
    std::string_view text,
    std::chrono::milliseconds patience
) noexcept
{
    // A pipe that is ready takes a piece of this size without waiting.
    constexpr std::size_t piece = PIPE_BUF;
    while (!text.empty()) {
        pollfd writable{.fd = descriptor, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&writable, 1, static_cast<int>(patience.count()));
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return;
        if (ready < 0)
            continue;
        const ssize_t count =
            ::write(descriptor, text.data(), std::min(piece, text.size()));
        if (count < 0 && errno != EINTR)
            return;
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace sluice::cli
