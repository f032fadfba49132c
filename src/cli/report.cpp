// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report.hpp"

#include "number_format.hpp"
#include "snapshot_figures.hpp"
#include "snapshot_json.hpp"
#include "table.hpp"

#include <vector>

namespace sluice::cli {

using pipeline::pipeline_snapshot;

namespace {

const char* to_string(run_end end) noexcept
{
    switch (end) {
    case run_end::done:
        return "done";
    case run_end::failed:
        return "failed";
    case run_end::timed_out:
        return "timed out";
    case run_end::drained:
        return "interrupted and drained";
    case run_end::stopped:
        return "interrupted and stopped";
    }
    return "unknown";
}

std::vector<std::string> queue_table(const pipeline_snapshot& snapshot)
{
    using enum alignment;
    table lines({left, right, right, right, right, right, right});
    lines.add(
        {"queue", "capacity", "high water", "in", "out", "waits to put", "waits to take"}
    );
    for (const auto& queue : snapshot.queues)
        lines.add(
            {queue.name,
             format_count(queue.stats.capacity),
             format_count(queue.stats.high_water),
             format_count(queue.stats.enqueued),
             format_count(queue.stats.dequeued - queue.stats.returned),
             format_count(queue.waits_to_put),
             format_count(queue.waits_to_take)}
        );
    return lines.lines();
}

std::vector<std::string> runner_table(const pipeline_snapshot& snapshot)
{
    using enum alignment;
    table lines({left, left, right, right, right, right, right, right});
    lines.add(
        {"runner",
         "stage",
         "workers",
         "in",
         "out",
         "busy",
         "blocked on put",
         "blocked on take"}
    );
    for (const auto& runner : snapshot.runners)
        lines.add(
            {runner.name,
             runner.stage,
             format_count(runner.workers),
             format_count(runner.items_in),
             format_count(runner.items_out),
             format_share(share_of(runner.busy, runner)),
             format_share(share_of(runner.blocked_on_put, runner)),
             format_share(share_of(runner.blocked_on_take, runner))}
        );
    return lines.lines();
}

void append(std::string& text, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines)
        text += "  " + line + "\n";
}

}  // namespace

exit_status run_outcome::status() const noexcept
{
    switch (end) {
    case run_end::done:
        return exit_status::done;
    case run_end::drained:
    case run_end::stopped:
        return exit_status::interrupted;
    case run_end::failed:
    case run_end::timed_out:
        break;
    }
    return exit_status::failed;
}

std::string report_text(const pipeline_snapshot& snapshot, const run_outcome& outcome)
{
    std::string text = snapshot.name + ": " + to_string(outcome.end) + " after " +
                       format_duration(snapshot.elapsed) + "\n";
    append(text, queue_table(snapshot));
    append(text, runner_table(snapshot));
    if (const std::string bottleneck = describe_bottleneck(snapshot); !bottleneck.empty())
        text += bottleneck + "\n";
    return text;
}

nlohmann::ordered_json report_json(
    const pipeline_snapshot& snapshot,
    const run_outcome& outcome
)
{
    nlohmann::ordered_json result = to_json(snapshot);
    result["outcome"] = to_string(outcome.end);
    result["exit_status"] = static_cast<int>(outcome.status());
    if (!outcome.error.empty())
        result["error"] = outcome.error;
    result["bottleneck"] = describe_bottleneck(snapshot);
    return result;
}

}  // namespace sluice::cli
