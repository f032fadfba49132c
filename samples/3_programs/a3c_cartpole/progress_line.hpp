// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <string>

// A line on the terminal that changes; nothing if standard error is something else.
class progress_line
{
public:
    progress_line();
    ~progress_line() { clear(); }

    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    // Whether it is time for another text.
    [[nodiscard]] bool is_due() const;
    void show(const std::string& text);
    void clear();

private:
    bool on_terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point next_;
};
