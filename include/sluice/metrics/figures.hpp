// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::metrics {

/// The time that the workers of a runner have run, which is not idle.
[[nodiscard]] std::chrono::nanoseconds time_of_workers(const runner_snapshot& runner
) noexcept;

/// Which share of that time a part of it is, from 0 to 1.
[[nodiscard]] double share_of_time(
    std::chrono::nanoseconds part,
    const runner_snapshot& runner
) noexcept;

/// Whether a queue has a limit of elements: its capacity is not `unbounded`.
[[nodiscard]] bool is_bounded(const queue_snapshot& queue) noexcept;

/// Whether it has a limit of weight: its weight limit is not `unbounded`.
[[nodiscard]] bool has_weight_limit(const queue_snapshot& queue) noexcept;

/// Whether the figures of a queue are known; those of a queue on a server are once it has answered.
[[nodiscard]] bool is_known(const queue_snapshot& queue) noexcept;

/// Whether the server of a queue has not said how it is for 5 seconds, or could not be asked.
[[nodiscard]] bool is_stale(const queue_snapshot& queue) noexcept;

/// Elements that have left the queue for good: without those that a cancellation returned.
[[nodiscard]] std::uint64_t dequeued_from(const queue_snapshot& queue) noexcept;

/// Elements dequeued by a runner, or enqueued by a source.
[[nodiscard]] std::uint64_t items_of(const runner_snapshot& runner) noexcept;

/// The share of the input of all sources that has been read; empty if one of them cannot tell.
[[nodiscard]] std::optional<double> progress_of(const snapshot& all);

/// The time that a running pipeline still needs at its average speed; empty if that is not known,
/// as when its sources have read everything.
[[nodiscard]] std::optional<std::chrono::nanoseconds> time_left(const snapshot& all);

/// A duration as a number of seconds.
[[nodiscard]] double seconds_of(std::chrono::nanoseconds duration) noexcept;

/// How fast a queue was filled and emptied.
struct queue_rates
{
    /// Elements per second that went in.
    double enqueued = 0;
    /// Elements per second that left for good.
    double dequeued = 0;
};

/// How fast queues and runners were between two snapshots.
struct rates
{
    /// One for each queue of the later snapshot.
    std::vector<queue_rates> queues = {};
    /// Elements per second of each runner of the later snapshot; see items_of().
    std::vector<double> runners = {};
};

/// The rates between two snapshots of the same monitor or pipeline.
/**
 * @param before  the earlier one; an empty one stands for the start. What is not in it counts
 *                from 0.
 * @param now     the later one.
 * @return all 0 if no time has passed.
 * @par Complexity  O(queues + runners).
 */
[[nodiscard]] rates rates_between(const snapshot& before, const snapshot& now);

}  // namespace sluice::metrics
