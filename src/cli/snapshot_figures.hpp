// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace sluice::cli {

// What display and report compute from snapshots.

// How much of the input of all sources has been read; empty unless each of them knows.
[[nodiscard]] std::optional<double> progress_of(
    const pipeline::pipeline_snapshot& snapshot
);

// How long a running pipeline will still take if it goes on as it did.
[[nodiscard]] std::optional<std::chrono::nanoseconds> time_left(
    const pipeline::pipeline_snapshot& snapshot
);

// The time that the workers of a runner have run.
[[nodiscard]] std::chrono::nanoseconds worked_time(const pipeline::runner_snapshot& runner
) noexcept;

// Which share `part` is of that time; 0 if they have not run.
[[nodiscard]] double share_of(
    std::chrono::nanoseconds part,
    const pipeline::runner_snapshot& runner
) noexcept;

// What a runner has done: elements taken, of a source elements put.
[[nodiscard]] std::uint64_t items_of(const pipeline::runner_snapshot& runner) noexcept;

}  // namespace sluice::cli
