// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "progress_line.hpp"

#include <iostream>
#include <unistd.h>

namespace {

constexpr auto clear_line = "\r\x1b[K";

}  // namespace

progress_line::progress_line() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

bool progress_line::is_due() const
{
    return on_terminal_ && std::chrono::steady_clock::now() >= next_;
}

void progress_line::show(const std::string& text)
{
    std::cerr << clear_line << text << std::flush;
    shown_ = true;
    next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
}

void progress_line::clear()
{
    if (shown_)
        std::cerr << clear_line << std::flush;
    shown_ = false;
}
