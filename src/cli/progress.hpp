// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "terminal.hpp"
#include <sluice/metrics/snapshot.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

// The state of a pipeline: the tables of the summary, and a last line for the whole. Lines that do
// not fit are omitted, except the last one.
[[nodiscard]] std::vector<std::string> display_lines(
    const metrics::snapshot& now,
    terminal_size size
);

// Shows the progress of a pipeline on a descriptor, in one of the modes of --progress.
class progress
{
public:
    // "auto" is bar on a terminal, else none.
    progress(const std::string& mode, int descriptor, pipeline::output& results);

    // How often show() should be called.
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept;

    // Does not wait. While a slow reader has not taken a whole line of JSON, later ones are
    // omitted.
    void show(const metrics::snapshot& now);

    // Shows lines in every mode, if there are any.
    void note(std::string_view lines);

    // Removes the display, and completes the last line.
    void end();

    // Where results go that are shown on the same terminal.
    [[nodiscard]] pipeline::output& results() noexcept { return lines_; }

private:
    // Does not wait.
    void send();

    std::string mode_;
    int descriptor_;
    terminal_lines lines_;
    std::string unsent_;  // the rest of a line that a slow reader has not taken yet
};

}  // namespace sluice::cli
