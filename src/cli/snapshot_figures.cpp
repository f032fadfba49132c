// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "snapshot_figures.hpp"

#include <algorithm>

namespace sluice::cli {

namespace {

bool is_source(const pipeline::runner_snapshot& runner) noexcept
{
    return runner.from.empty();
}

}  // namespace

std::optional<double> progress_of(const pipeline::pipeline_snapshot& snapshot)
{
    std::optional<double> slowest;
    for (const auto& runner : snapshot.runners) {
        if (!is_source(runner))
            continue;
        const bool has_ended = runner.running == 0 && runner.items_out > 0;
        const auto progress = has_ended ? std::optional(1.0) : runner.progress;
        if (!progress)
            return std::nullopt;
        slowest = std::min(slowest.value_or(1.0), std::clamp(*progress, 0.0, 1.0));
    }
    return slowest;
}

std::optional<std::chrono::nanoseconds> time_left(
    const pipeline::pipeline_snapshot& snapshot
)
{
    // The first percent says little: files are opened, queues fill.
    constexpr double enough = 0.01;
    const auto progress = progress_of(snapshot);
    if (snapshot.state != pipeline::run_state::running || !progress || *progress < enough)
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        snapshot.elapsed * ((1 - *progress) / *progress)
    );
}

std::chrono::nanoseconds worked_time(const pipeline::runner_snapshot& runner) noexcept
{
    return runner.busy + runner.blocked_on_put + runner.blocked_on_take;
}

double share_of(
    std::chrono::nanoseconds part,
    const pipeline::runner_snapshot& runner
) noexcept
{
    const auto whole = worked_time(runner);
    if (whole.count() <= 0)
        return 0;
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::uint64_t items_of(const pipeline::runner_snapshot& runner) noexcept
{
    return is_source(runner) ? runner.items_out : runner.items_in;
}

}  // namespace sluice::cli
