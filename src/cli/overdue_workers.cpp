// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "overdue_workers.hpp"

#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::cli {

namespace {

// The program and its arguments, as a person would type them; empty for other stages.
std::string command_of(const pipeline::runner_description& runner)
{
    constexpr std::size_t most_shown = 200;
    const auto found = runner.options.find("command");
    if (runner.stage != "command" || found == runner.options.end())
        return {};
    const std::string all =
        found->is_string()
            ? found->get<std::string>()
            : fmt::format("{}", fmt::join(found->get<std::vector<std::string>>(), " "));
    const std::string_view shown = text::cut_to_bytes(all, most_shown);
    return text::printable(shown) + (shown.size() < all.size() ? "..." : "");
}

}  // namespace

overdue_workers::overdue_workers(const pipeline::pipeline_description& description)
    : grace_period_(description.stop_grace_period)
{
    for (const pipeline::runner_description& each : description.runners)
        if (std::string line = command_of(each); !line.empty())
            commands_.emplace(each.name, std::move(line));
}

bool overdue_workers::are_in(const metrics::snapshot& snapshot)
{
    return std::ranges::any_of(snapshot.runners, [](const auto& runner) {
        return runner.running > 0;
    });
}

bool overdue_workers::are_all_of(const std::exception_ptr& error)
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

std::string overdue_workers::message_for(const metrics::snapshot& snapshot) const
{
    std::size_t workers = 0;
    bool has_command = false;
    std::string names;
    for (const metrics::runner_snapshot& each : snapshot.runners) {
        if (each.running == 0)
            continue;
        workers += each.running;
        const auto found = commands_.find(each.name);
        has_command = has_command || found != commands_.end();
        fmt::format_to(
            std::back_inserter(names),
            "{}\"{}\" ({}{}{})",
            names.empty() ? "" : ", ",
            text::printable(each.name),
            each.stage,
            found != commands_.end() ? ": " : "",
            found != commands_.end() ? found->second : ""
        );
    }
    return fmt::format(
        "{} of {} {} not ended within {} of the stop; {}",
        pipeline::detail::counted(workers, "worker"),
        names,
        workers == 1 ? "has" : "have",
        pipeline::detail::to_text(grace_period_),
        has_command
            ? "the processes of a command are killed after its \"kill_after\"; make "
              "that shorter than \"stop_grace_period\" of the coordinator"
            : "if they only need longer, raise \"stop_grace_period\" of the coordinator"
    );
}

}  // namespace sluice::cli
