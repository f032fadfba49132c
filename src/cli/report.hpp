// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "interruption_core.hpp"
#include "terminal.hpp"
#include <sluice/metrics/snapshot.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What is said of a run: the progress while it lasts, servers and workers that hold it up, and the
// summary at its end.
namespace sluice::cli {

struct run_outcome
{
    run_end end = run_end::done;
    std::string error = {};  // the first real one, in full; empty if there was none
    // Why metrics or trace could not be written: a failure of a run that had none.
    std::vector<std::string> unwritten = {};

    // As snapshots call it.
    [[nodiscard]] metrics::run_state state() const noexcept;

    [[nodiscard]] exit_status status() const noexcept;
};

// The summary as text, whose tables have at most so many columns.
[[nodiscard]] std::string report_text(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome,
    std::size_t columns = unlimited_columns
);

// The summary as JSON, with all figures of the snapshot.
[[nodiscard]] nlohmann::ordered_json report_json(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome
);

// Tells of servers that cannot be reached, once for each time, and of what went wrong with queues.
class server_outages
{
public:
    // A line for each problem that is new since the last call.
    [[nodiscard]] std::vector<std::string> news(const metrics::snapshot& now);

private:
    // Queues whose server was out of reach at the last call, and warnings of queues.
    std::set<std::string> told_;
};

// What has been lost of which queues, as one sentence; empty if it is nothing.
[[nodiscard]] std::string describe_losses(const metrics::snapshot& now);

// The queues whose server has not answered at all, because it cannot be reached or is
// silent: what is meant for them has nowhere to go. One sentence; empty if there are none.
[[nodiscard]] std::string describe_unheard(const metrics::snapshot& now);

// Workers that have not ended, although they had this time since the stop: whose they are, and what
// can be done about it. Empty if there are none.
[[nodiscard]] std::string describe_overdue(
    const metrics::snapshot& now,
    std::chrono::nanoseconds grace_period
);

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
