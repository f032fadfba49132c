// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/report/summary_writer.hpp>

#include <chrono>
#include <string>

namespace sluice::cli {

// What --summaries writes: the curves of the queues and runners of a run, for TensorBoard.
class run_summaries
{
public:
    // Between two points of a curve.
    static constexpr std::chrono::milliseconds interval{1000};

    // Refuses a directory in which no file can be made, before the run.
    explicit run_summaries(const std::string& directory);

    // A point of each curve. Its step is the time since the start of the run, in milliseconds.
    void update(const metrics::snapshot& now);

    // The last points, and in words what limited the flow. Waits until all of it is written; throws
    // if that fails.
    void finish(const metrics::snapshot& last);

private:
    summary_writer log_;
    metrics::snapshot before_;  // of the last rates; empty at first
};

}  // namespace sluice::cli
