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
#include <vector>

// What is said of a run: the summary at its end, and while it lasts the servers and workers that
// hold it up.
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

// The queues and the runners of a pipeline: tables of at most so many columns.
[[nodiscard]] std::vector<std::string> figure_lines(
    const metrics::snapshot& snapshot,
    std::size_t columns
);

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

}  // namespace sluice::cli
