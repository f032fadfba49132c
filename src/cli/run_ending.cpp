// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_ending.hpp"

#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include "text/units.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace sluice::cli {

using metrics::queue_snapshot;
using pipeline::detail::counted;
using pipeline::detail::in_quotes;

std::vector<std::string> server_outages::news(const metrics::snapshot& now)
{
    std::vector<std::string> lines;
    for (const queue_snapshot& queue : now.queues) {
        if (!queue.remote)
            continue;
        if (queue.remote->problem.empty())
            told_.erase(queue.name);
        else if (told_.insert(queue.name).second)
            lines.push_back(fmt::format(
                "waiting for the server of the queue {}: {}",
                in_quotes(queue.name),
                text::printable(queue.remote->problem)
            ));
        const std::string& warning = queue.remote->warning;
        if (!warning.empty() && told_.insert(queue.name + '\n' + warning).second)
            lines.push_back(warning_of(queue));
    }
    return lines;
}

std::string warning_of(const queue_snapshot& queue)
{
    return fmt::format(
        "warning about the queue {}: {}",
        in_quotes(queue.name),
        text::printable(queue.remote->warning)
    );
}

std::string describe_losses(const metrics::snapshot& now)
{
    std::vector<std::string> losses;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && queue.remote->lost > 0)
            losses.push_back(fmt::format(
                "the server has lost {} of the queue {}",
                counted(queue.remote->lost, "element"),
                in_quotes(queue.name)
            ));
    return fmt::to_string(fmt::join(losses, "; "));
}

std::string describe_unheard(const metrics::snapshot& now)
{
    std::vector<std::string> queues;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && !queue.remote->read_ago)
            queues.push_back(in_quotes(queue.name));
    const auto all = fmt::to_string(fmt::join(queues, ", "));
    return queues.empty() ? "" : "the server of " + all + " has never answered";
}

std::string describe_overdue(
    const metrics::snapshot& now,
    std::chrono::nanoseconds grace_period
)
{
    std::size_t workers = 0;
    std::vector<std::string> runners;
    for (const metrics::runner_snapshot& each : now.runners) {
        workers += each.running;
        if (each.running > 0)
            runners.push_back(pipeline::detail::runner_title(each.name, each.stage));
    }
    if (workers == 0)
        return {};
    return fmt::format(
        "{} of {} {} not ended within {} of the stop; raise \"stop_grace_period\" of the "
        "coordinator, or lower \"kill_after\" of a command",
        counted(workers, "worker"),
        fmt::join(runners, ", "),
        workers == 1 ? "has" : "have",
        text::duration_text(grace_period)
    );
}

}  // namespace sluice::cli
