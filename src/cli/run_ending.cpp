// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_ending.hpp"

#include "pipeline/durations.hpp"
#include "pipeline/runner_title.hpp"
#include "pipeline/words.hpp"
#include "server_outages.hpp"
#include "text/message_of.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sluice::cli {

namespace {

// Whether workers that have not ended are all that this says, and nothing else went wrong.
bool is_of_running_workers(const std::exception_ptr& error)
{
    try {
        if (error)
            std::rethrow_exception(error);
    } catch (const system_error& found) {
        return found.code() == errc::tasks_still_running;
    } catch (...) {
        return false;
    }
    return false;
}

// The program of a runner and its arguments, as a person would type them; empty for other stages.
std::string command_of(
    const std::string& runner,
    const pipeline::pipeline_description& description
)
{
    constexpr std::size_t most_shown = 200;
    for (const pipeline::runner_description& each : description.runners) {
        const auto found = each.options.find("command");
        if (each.name != runner || each.stage != "command" || found == each.options.end())
            continue;
        const std::string all =
            found->is_string()
                ? found->get<std::string>()
                : fmt::to_string(fmt::join(found->get<std::vector<std::string>>(), " "));
        const std::string_view shown = text::cut_to_bytes(all, most_shown);
        return text::printable(shown) + (shown.size() < all.size() ? "..." : "");
    }
    return {};
}

}  // namespace

run_outcome run_ending::outcome(
    run_end end,
    const std::exception_ptr& error,
    const metrics::snapshot& now
) const
{
    if (has_running_workers(now) && is_of_running_workers(error))
        return outcome_without_end(end, now);
    if (end == run_end::timed_out)
        return {end, timeout_text(now, text_of(error, now))};
    if (error)
        return {run_end::failed, text_of(error, now)};
    const std::string losses = describe_losses(now);
    return losses.empty() ? run_outcome{end} : run_outcome{run_end::failed, losses};
}

run_outcome run_ending::outcome_without_end(run_end end, const metrics::snapshot& now)
    const
{
    std::string reason = overdue_workers(now);
    if (!has_running_workers(now)) {
        reason = "a server has not said that it knows the end of the run";
        const std::string outages = describe_outages(now, description_);
        if (end != run_end::timed_out && !outages.empty())
            reason += "; " + outages;
    }
    if (end == run_end::timed_out)
        reason = timeout_text(now, reason);
    return {run_end::failed, reason};
}

std::string run_ending::timeout_text(
    const metrics::snapshot& now,
    const std::string& error
) const
{
    std::string text = "timed out after " + pipeline::detail::to_text(*timeout_);
    for (const std::string& reason :
         {describe_outages(now, description_), ended_wait(run_end::timed_out, now), error
         })
        if (!reason.empty())
            text += "; " + reason;
    return text;
}

// Of a run that the user has stopped: a failure of the pipeline says enough.
std::string run_ending::ended_wait(run_end end, const metrics::snapshot& now) const
{
    const bool is_stopped = end == run_end::timed_out || end == run_end::stopped;
    return is_stopped ? text_of(pipeline_.ended_wait(), now) : "";
}

// `clean (filter): ` and what was thrown; without the first if it was no runner.
std::string run_ending::text_of(
    const std::exception_ptr& error,
    const metrics::snapshot& now
) const
{
    if (!error)
        return {};
    const std::string name = pipeline_.runner_of(error);
    std::string text = text::message_of(error);
    for (const metrics::runner_snapshot& each : now.runners)
        if (each.name == name)
            return pipeline::runner_title(name, each.stage).append(": ").append(text);
    return text;
}

std::string run_ending::overdue_workers(const metrics::snapshot& now) const
{
    std::size_t workers = 0;
    bool has_command = false;
    std::vector<std::string> names;
    for (const metrics::runner_snapshot& each : now.runners) {
        if (each.running == 0)
            continue;
        workers += each.running;
        const std::string program = command_of(each.name, description_);
        has_command = has_command || !program.empty();
        const std::string what = program.empty() ? each.stage
                                                 : each.stage + ": " + program;
        names.push_back(fmt::format("\"{}\" ({})", text::printable(each.name), what));
    }
    return fmt::format(
        "{} of {} {} not ended within {} of the stop; {}",
        pipeline::detail::counted(workers, "worker"),
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
