// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_ending.hpp"

#include "pipeline/durations.hpp"
#include "pipeline/runner_title.hpp"
#include "pipeline/words.hpp"
#include "text/message_of.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace sluice::cli {

using metrics::queue_snapshot;
using pipeline::detail::counted;
using pipeline::detail::in_json;
using pipeline::detail::in_quotes;

namespace {

std::string outage_of(const std::string& queue, const std::string& problem)
{
    return fmt::format(
        "waiting for the server of the queue {}: {}",
        in_quotes(queue),
        text::printable(problem)
    );
}

}  // namespace

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
            lines.push_back(outage_of(queue.name, problem));
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

std::string describe_outages(const metrics::snapshot& now)
{
    constexpr auto silence =
        "no answer yet; see that it runs, that the address is right, "
        "and that it speaks TLS if the address begins with rediss:";
    std::vector<std::string> outages;
    for (const queue_snapshot& queue : now.queues) {
        const bool is_out = queue.remote && !queue.remote->problem.empty();
        const bool is_silent = queue.remote && !queue.remote->read_ago;
        if (is_out || is_silent)
            outages.push_back(
                outage_of(queue.name, is_out ? queue.remote->problem : silence)
            );
    }
    return fmt::to_string(fmt::join(outages, "; "));
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
    std::string reason = overdue_workers(now);
    if (!has_running_workers(now)) {
        reason = "a server has not said that it knows the end of the run";
        const std::string outages = describe_outages(now);
        if (end != run_end::timed_out && !outages.empty())
            reason += "; " + outages;
    }
    return {run_end::failed, end == run_end::timed_out ? timeout_text(reason) : reason};
}

std::string run_ending::timeout_text(const std::string& error) const
{
    const std::string outages = describe_outages(pipeline_.snapshot());
    std::string text = "timed out after " + pipeline::detail::to_text(*timeout_);
    for (const std::string& reason : {outages, ended_wait(run_end::timed_out), error})
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
    bool has_command = false;
    std::vector<std::string> names;
    for (const pipeline::runner_description& each : description_.runners) {
        const auto runner =
            std::ranges::find(now.runners, each.name, &metrics::runner_snapshot::name);
        if (runner == now.runners.end() || runner->running == 0)
            continue;
        workers += runner->running;
        std::string work = each.stage;
        if (each.stage == "command") {
            has_command = true;
            constexpr std::size_t most_shown = 200;
            const std::string all = in_json(each.options.at("command"));
            const std::string_view shown = text::cut_to_bytes(all, most_shown);
            work += fmt::format(": {}{}", shown, shown.size() < all.size() ? "..." : "");
        }
        names.push_back(fmt::format("{} ({})", in_quotes(each.name), work));
    }
    return fmt::format(
        "{} of {} {} not ended within {} of the stop; {}",
        counted(workers, "worker"),
        fmt::join(names, ", "),
        workers == 1 ? "has" : "have",
        pipeline::detail::to_text(description_.stop_grace_period),
        has_command
            ? "the processes of a command are killed after its \"kill_after\"; make "
              "that shorter than \"stop_grace_period\" of the coordinator"
            : "if they only need longer, raise \"stop_grace_period\" of the coordinator"
    );
}

bool has_running_workers(const metrics::snapshot& now)
{
    return std::ranges::any_of(now.runners, [](const auto& runner) {
        return runner.running > 0;
    });
}

}  // namespace sluice::cli
