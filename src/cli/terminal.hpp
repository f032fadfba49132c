// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/output.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

[[nodiscard]] bool is_terminal(int descriptor) noexcept;

struct terminal_size
{
    std::size_t columns = 80;
    std::size_t lines = 24;
};

// The default is the usual size, for a terminal that does not tell its own.
[[nodiscard]] terminal_size size_of_terminal(int descriptor) noexcept;

// How many columns a text on a descriptor may take: as many as the terminal has, and without limit
// where that is something else.
[[nodiscard]] std::size_t columns_for(int descriptor) noexcept;

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
