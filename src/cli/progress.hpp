// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "terminal.hpp"
#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

// The state of a pipeline for a person: a line for each queue and for each runner, and one
// for all of it at the end. `before` is an earlier snapshot, which rates are computed
// since, or null for rates since the start. Lines that do not fit are left out, the last
// one never.
[[nodiscard]] std::vector<std::string> display_lines(
    const pipeline::pipeline_snapshot& now,
    const pipeline::pipeline_snapshot* before,
    terminal_size size
);

// The same in one line, for logs.
[[nodiscard]] std::string plain_line(
    const pipeline::pipeline_snapshot& now,
    const pipeline::pipeline_snapshot* before
);

// Shows on a descriptor how a pipeline comes along, in one of the modes of --progress.
class progress
{
public:
    // `automatic` is resolved: bar on a terminal, else none.
    progress(progress_mode mode, int descriptor);

    [[nodiscard]] progress_mode mode() const noexcept { return mode_; }

    // How often show() should be called; empty: never.
    [[nodiscard]] std::optional<std::chrono::milliseconds> interval() const noexcept;

    void show(pipeline::pipeline_snapshot now);

    // A line for the user, whatever the mode.
    void note(std::string_view line);

    // Takes the display away.
    void end();

    // For results that go to the same terminal.
    [[nodiscard]] terminal_lines& lines() noexcept { return lines_; }

private:
    // Without waiting: while a slow reader has taken only a part of a line, others are left
    // out.
    void write_line(std::string line);
    void send();

    progress_mode mode_;
    int descriptor_;
    terminal_lines lines_;
    std::string unsent_;  // what has not been taken of the last lines
    std::optional<pipeline::pipeline_snapshot> before_;  // what rates are computed since
};

}  // namespace sluice::cli
