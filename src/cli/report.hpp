// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "exit_status.hpp"
#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace sluice::cli {

// How a run ended.
enum class run_end
{
    done,
    failed,
    timed_out,
    drained,  // interrupted once: what had been read was worked off
    stopped   // interrupted twice
};

struct run_outcome
{
    run_end end = run_end::done;
    std::string error;  // the first real one, in full; empty if there was none

    [[nodiscard]] exit_status status() const noexcept;
};

// The summary for a person; lines with their ends.
[[nodiscard]] std::string report_text(
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
);

// The same, and all that a snapshot knows, for programs.
[[nodiscard]] nlohmann::ordered_json report_json(
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
);

}  // namespace sluice::cli
