// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sluice::pipeline {

namespace {

double busy_share(const runner_snapshot& runner)
{
    return share_of_time(runner.busy, runner);
}

std::string times(std::uint64_t count)
{
    return count == 1 ? "once" : fmt::format("{} times", count);
}

const queue_snapshot* find_queue(
    const pipeline_snapshot& snapshot,
    const std::string& name
)
{
    const auto found = std::ranges::find(snapshot.queues, name, &queue_snapshot::name);
    return found == snapshot.queues.end() ? nullptr : &*found;
}

// The runner whose workers are busiest. One that has done nothing yet does not count.
const runner_snapshot* busiest(const pipeline_snapshot& snapshot)
{
    const auto found = std::ranges::max_element(snapshot.runners, {}, busy_share);
    const bool worked = found != snapshot.runners.end() && found->busy.count() > 0;
    return worked ? &*found : nullptr;
}

// What is seen at the queues on both sides of it.
std::string signs_around(const runner_snapshot& runner, const pipeline_snapshot& snapshot)
{
    std::string signs;
    const queue_snapshot* const before = find_queue(snapshot, runner.from);
    if (before && before->waits_to_enqueue > 0)
        signs += fmt::format(
            "; the queue \"{}\" before it was full {} when others wanted to enqueue",
            before->name,
            times(before->waits_to_enqueue)
        );
    if (before && before->stats.dropped > 0)
        signs += fmt::format(
            "; the queue \"{}\" before it was full and dropped {}",
            before->name,
            before->stats.dropped == 1 ? "1 element"
                                       : fmt::format("{} elements", before->stats.dropped)
        );
    for (const std::string& name : runner.to)
        if (const queue_snapshot* const after = find_queue(snapshot, name);
            after && after->waits_to_dequeue > 0)
            signs += fmt::format(
                "; the queue \"{}\" behind it was empty {} when others wanted to dequeue",
                after->name,
                times(after->waits_to_dequeue)
            );
    if (signs.empty() && (before || !runner.to.empty()))
        signs = "; the queues around it made nobody wait";
    const bool is_source = runner.from.empty();
    return signs + (is_source ? ". Everything behind it waits for what it reads." : ".");
}

std::string remedy(const runner_snapshot& runner)
{
    if (runner.parts && *runner.parts <= runner.workers)
        return fmt::format(
            "More workers for it do not help, because its input is {}.",
            *runner.parts == 1 ? "one file" : fmt::format("{} files", *runner.parts)
        );
    return runner.workers == 1
               ? "More workers for it help if its stage can share the work and there are "
                 "idle processors."
               : "More workers for it help while there are idle processors; otherwise "
                 "give it less to do.";
}

}  // namespace

const char* to_string(run_state state) noexcept
{
    switch (state) {
    case run_state::ready:
        return "ready";
    case run_state::running:
        return "running";
    case run_state::draining:
        return "draining";
    case run_state::stopping:
        return "stopping";
    case run_state::done:
        return "done";
    }
    return "unknown";
}

std::chrono::nanoseconds time_of_workers(const runner_snapshot& runner) noexcept
{
    return runner.busy + runner.blocked_on_enqueue + runner.blocked_on_dequeue;
}

double share_of_time(
    std::chrono::nanoseconds part,
    const runner_snapshot& runner
) noexcept
{
    const std::chrono::duration<double> whole = time_of_workers(runner);
    return whole.count() > 0 ? part / whole : 0;
}

std::string describe_bottleneck(const pipeline_snapshot& snapshot)
{
    const runner_snapshot* const limit = busiest(snapshot);
    if (!limit)
        return {};

    // Below this share it waits itself: for time, or for turns with the others.
    constexpr double limits_the_others = 0.5;
    const double share = busy_share(*limit);
    if (share < limits_the_others)
        return fmt::format(
            "No runner was busy most of the time; the busiest, \"{}\", {}. The runners "
            "wait "
            "for each other: larger queues or batches help, more workers do not.",
            limit->name,
            text::percent(share)
        );
    return fmt::format(
        "The bottleneck is \"{}\": its {} busy {} of the time{} {}",
        limit->name,
        limit->workers == 1 ? "worker was"
                            : fmt::format("{} workers were", limit->workers),
        text::percent(share),
        signs_around(*limit, snapshot),
        remedy(*limit)
    );
}

}  // namespace sluice::pipeline
