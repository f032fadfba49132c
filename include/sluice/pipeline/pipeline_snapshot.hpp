// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

/// How far a pipeline is.
enum class run_state : unsigned char
{
    ready,     ///< not started
    running,   ///< works
    draining,  ///< sources have been asked to end, what is in the queues is worked off
    stopping,  ///< was asked to stop, or failed
    done       ///< all workers have ended
};

/// The name of a state in reports, such as "draining".
[[nodiscard]] const char* to_string(run_state state) noexcept;

/// A queue at one moment.
struct queue_snapshot
{
    /// As described.
    std::string name = {};
    /// As described.
    queue_type type = queue_type::fifo;
    /// Size, capacity, totals, waiters, and how many elements its overflow has dropped.
    queue_stats stats = {};
    /// How often a worker found it full and had to wait; 0 where it drops elements instead.
    std::uint64_t waits_to_enqueue = 0;
    /// How often a worker found it empty and had to wait.
    std::uint64_t waits_to_dequeue = 0;
};

/// A runner at one moment. Times are sums over its workers.
struct runner_snapshot
{
    /// As described.
    std::string name = {};
    /// As described.
    std::string stage = {};
    /// As described; empty for a source.
    std::string from = {};
    /// As described; empty for a sink.
    std::vector<std::string> to = {};
    /// As described.
    std::size_t workers = 0;
    /// How many of them have not ended.
    std::size_t running = 0;
    /// How many of those wait for room in the output queue.
    std::size_t waiting_to_enqueue = 0;
    /// How many of those wait for elements of the input queue.
    std::size_t waiting_to_dequeue = 0;
    /// Elements taken.
    std::uint64_t items_in = 0;
    /// Elements put.
    std::uint64_t items_out = 0;
    /// Elements that the stage could not process and that were left out; see error_policy.
    std::uint64_t skipped = 0;
    /// Why, for the first of them.
    std::vector<std::string> first_errors = {};
    /// Time spent working, files and children included.
    std::chrono::nanoseconds busy{};
    /// Time spent waiting for room.
    std::chrono::nanoseconds blocked_on_enqueue{};
    /// Time spent waiting for elements.
    std::chrono::nanoseconds blocked_on_dequeue{};
    /// How much of its input a source has read, from 0 to 1, where it can be known.
    std::optional<double> progress = {};
    /// Into how many parts the input of a source falls, where it can be known; see stage::parts().
    std::optional<std::size_t> parts = {};
    /// The file with a part of the result, after a drain; see stage::partial_result().
    std::string partial_result = {};
};

/// The time that the workers of a runner have run.
[[nodiscard]] std::chrono::nanoseconds time_of_workers(const runner_snapshot& runner
) noexcept;

/// Which share of that time a part of it is, from 0 to 1.
[[nodiscard]] double share_of_time(
    std::chrono::nanoseconds part,
    const runner_snapshot& runner
) noexcept;

/// A pipeline at one moment: what a display shows and a report says.
struct pipeline_snapshot
{
    /// As described.
    std::string name = {};
    /// How far it is.
    run_state state = run_state::ready;
    /// Since it was started; does not grow after its end.
    std::chrono::nanoseconds elapsed{};
    /// In the order of the description.
    std::vector<queue_snapshot> queues = {};
    /// In the order of the description.
    std::vector<runner_snapshot> runners = {};
};

/// What limits the pipeline, in one or two sentences; empty before there is anything to say.
/**
 * The runner whose workers are busiest, if the queue before it is what others wait for; the
 * source, if everybody waits for it. Says how full the queues around it have been and what
 * to change.
 */
[[nodiscard]] std::string describe_bottleneck(const pipeline_snapshot& snapshot);

}  // namespace sluice::pipeline
