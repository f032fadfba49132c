// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

// Figures and JSON of a snapshot, for progress and report.
namespace sluice::cli {

// The share of the input of all sources that has been read; empty if one of them cannot tell.
[[nodiscard]] std::optional<double> progress_of(
    const pipeline::pipeline_snapshot& snapshot
);

// The time that a running pipeline still needs at its average speed.
[[nodiscard]] std::optional<std::chrono::nanoseconds> time_left(
    const pipeline::pipeline_snapshot& snapshot
);

// Elements that have left the queue for good: without those that a cancellation returned.
[[nodiscard]] std::uint64_t dequeued_from(const pipeline::queue_snapshot& queue) noexcept;

// Whether a queue is limited by the number of its elements, or only by their bytes.
[[nodiscard]] bool has_capacity_in_elements(const pipeline::queue_snapshot& queue
) noexcept;

// Elements dequeued by a runner, or enqueued by a source.
[[nodiscard]] std::uint64_t items_of(const pipeline::runner_snapshot& runner) noexcept;

// Times are in seconds.
[[nodiscard]] nlohmann::ordered_json to_json(const pipeline::pipeline_snapshot& snapshot);

// JSON in one line. Bytes that are not UTF-8, in names and messages, are replaced.
[[nodiscard]] std::string to_line(const nlohmann::ordered_json& document);

}  // namespace sluice::cli
