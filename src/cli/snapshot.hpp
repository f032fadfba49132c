// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

// What display and report make of a snapshot.
namespace sluice::cli {

// How much of the input of all sources has been read; empty unless each of them knows.
[[nodiscard]] std::optional<double> progress_of(
    const pipeline::pipeline_snapshot& snapshot
);

// How long a running pipeline will still take if it goes on as it did.
[[nodiscard]] std::optional<std::chrono::nanoseconds> time_left(
    const pipeline::pipeline_snapshot& snapshot
);

// Elements that have left a queue, without those that a cancellation has returned.
[[nodiscard]] std::uint64_t dequeued_from(const pipeline::queue_snapshot& queue) noexcept;

// What a runner has done: elements taken, of a source elements put.
[[nodiscard]] std::uint64_t items_of(const pipeline::runner_snapshot& runner) noexcept;

// For programs; times are in seconds.
[[nodiscard]] nlohmann::ordered_json to_json(const pipeline::pipeline_snapshot& snapshot);

// JSON in one line. Bytes that are not UTF-8, in names and messages, are replaced.
[[nodiscard]] std::string to_line(const nlohmann::ordered_json& document);

}  // namespace sluice::cli
