// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_ending.hpp"

#include "pipeline/durations.hpp"
#include "pipeline/runner_title.hpp"
#include "pipeline/words.hpp"
#include "text/message_of.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>

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
        const auto& [problem, warning] =
            std::tie(queue.remote->problem, queue.remote->warning);
        if (problem.empty())
            told_.erase(queue.name);
        else if (told_.insert(queue.name).second)
            lines.push_back(fmt::format(
                "waiting for the server of the queue {}: {}",
                in_quotes(queue.name),
                text::printable(problem)
            ));
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
                "{} of the queue {}",
                text::with_separators(queue.remote->lost),
                in_quotes(queue.name)
            ));
    const auto all = fmt::to_string(fmt::join(losses, ", "));
    return losses.empty() ? "" : "the server has lost elements: " + all;
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

run_outcome run_ending::outcome(run_end end, const std::exception_ptr& error) const
{
    const metrics::snapshot now = pipeline_.snapshot();
    // Unless something else went wrong, the workers are what there is to say.
    if (has_running_workers(now) && error &&
        detail::code_of(error, {}) == errc::tasks_still_running)
        return outcome_without_end(end, now);
    if (end == run_end::timed_out)
        return {end, timeout_text(text_of(error))};
    const std::string failure = error ? text_of(error) : describe_losses(now);
    return {error || !failure.empty() ? run_end::failed : end, failure};
}

run_outcome run_ending::outcome_without_end(run_end end, const metrics::snapshot& now)
    const
{
    const std::string reason =
        has_running_workers(now)
            ? overdue_workers(now)
            : "a server has not said that it knows the end of the run";
    return {run_end::failed, end == run_end::timed_out ? timeout_text(reason) : reason};
}

std::string run_ending::timeout_text(const std::string& error) const
{
    const std::string unheard = describe_unheard(pipeline_.snapshot());
    std::string text = "timed out after " + pipeline::detail::to_text(*timeout_);
    for (const std::string& reason : {unheard, ended_wait(run_end::timed_out), error})
        if (!reason.empty())
            text += "; " + reason;
    return text;
}

// Of a run that the user has stopped: a failure of the pipeline says enough.
std::string run_ending::ended_wait(run_end end) const
{
    const bool is_stopped = end == run_end::timed_out || end == run_end::stopped;
    return is_stopped ? text_of(pipeline_.ended_wait()) : "";
}

// `clean (filter): ` and what was thrown; without the first if it was no runner.
std::string run_ending::text_of(const std::exception_ptr& error) const
{
    if (!error)
        return {};
    const std::string name = pipeline_.runner_of(error);
    const std::string text = text::message_of(error);
    for (const pipeline::runner_description& each : description_.runners)
        if (each.name == name)
            return pipeline::runner_title(name, each.stage) + ": " + text;
    return text;
}

std::string run_ending::overdue_workers(const metrics::snapshot& now) const
{
    std::size_t workers = 0;
    std::vector<std::string> runners;
    for (const metrics::runner_snapshot& each : now.runners) {
        workers += each.running;
        if (each.running > 0)
            runners.push_back(pipeline::runner_title(each.name, each.stage));
    }
    return fmt::format(
        "{} of {} {} not ended within {} of the stop; raise \"stop_grace_period\" of the "
        "coordinator, or lower \"kill_after\" of a command",
        counted(workers, "worker"),
        fmt::join(runners, ", "),
        workers == 1 ? "has" : "have",
        pipeline::detail::to_text(description_.stop_grace_period)
    );
}

bool has_running_workers(const metrics::snapshot& now)
{
    return std::ranges::any_of(now.runners, [](const auto& runner) {
        return runner.running > 0;
    });
}

}  // namespace sluice::cli
