// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace sluice::pipeline {

namespace {

std::chrono::nanoseconds worked_time(const runner_snapshot& runner)
{
    return runner.busy + runner.blocked_on_put + runner.blocked_on_take;
}

double share(std::chrono::nanoseconds part, std::chrono::nanoseconds whole)
{
    return whole.count() > 0
               ? static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0;
}

// How much of its time a worker of the runner works.
double busy_share(const runner_snapshot& runner)
{
    return share(runner.busy, worked_time(runner));
}

std::string quoted(const std::string& name)
{
    return "\"" + name + "\"";
}

std::string percent(double value)
{
    return std::to_string(std::lround(value * 100)) + " %";
}

std::string times(std::uint64_t count)
{
    return count == 1 ? "once" : std::to_string(count) + " times";
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
    const auto found =
        std::ranges::max_element(snapshot.runners, {}, [](const runner_snapshot& runner) {
            return busy_share(runner);
        });
    const bool worked = found != snapshot.runners.end() && found->busy.count() > 0;
    return worked ? &*found : nullptr;
}

std::string who_is_busy(const runner_snapshot& runner)
{
    const bool one = runner.workers == 1;
    return "The bottleneck is " + quoted(runner.name) + ": its " +
           (one ? "worker was" : std::to_string(runner.workers) + " workers were") +
           " busy " + percent(busy_share(runner)) + " of the time";
}

// What is seen at the queues on both sides of it.
std::string signs_around(
    const runner_snapshot& runner,
    const queue_snapshot* before,
    const queue_snapshot* after
)
{
    std::string signs;
    if (before && before->waits_to_put > 0)
        signs += "; the queue " + quoted(before->name) + " before it was full " +
                 times(before->waits_to_put) + " when others wanted to put";
    if (after && after->waits_to_take > 0)
        signs += "; the queue " + quoted(after->name) + " behind it was empty " +
                 times(after->waits_to_take) + " when others wanted to take";
    if (signs.empty() && (before || after))
        signs = "; the queues around it made nobody wait";
    return signs + "." +
           (runner.from.empty() ? " Everything behind it waits for what it reads." : "");
}

std::string remedy(const runner_snapshot& runner)
{
    return runner.workers == 1
               ? " More workers for it help if its stage can share the work and there "
                 "are "
                 "idle processors."
               : " More workers for it help while there are idle processors; otherwise "
                 "give it less to do.";
}

}  // namespace

std::string describe_bottleneck(const pipeline_snapshot& snapshot)
{
    const runner_snapshot* const limit = busiest(snapshot);
    if (!limit)
        return {};

    // Below this share it waits itself: for time, or for turns with the others.
    constexpr double limits_the_others = 0.5;
    if (busy_share(*limit) < limits_the_others)
        return "No runner was busy most of the time; the busiest, " +
               quoted(limit->name) + ", " + percent(busy_share(*limit)) +
               ". The runners wait for each other: larger queues or batches help, more "
               "workers do not.";

    const queue_snapshot* const before = find_queue(snapshot, limit->from);
    const queue_snapshot* const after = find_queue(snapshot, limit->to);
    return who_is_busy(*limit) + signs_around(*limit, before, after) + remedy(*limit);
}

}  // namespace sluice::pipeline
