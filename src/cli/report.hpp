// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "interruption_core.hpp"
#include "terminal.hpp"
#include <sluice/metrics/snapshot.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace sluice::cli
