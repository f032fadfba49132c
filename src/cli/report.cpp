// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report.hpp"

#include "pipeline/runner_title.hpp"
#include "server_outages.hpp"
#include "terminal.hpp"
#include "text/byte_size.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text_format.hpp"
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/report/snapshot_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::cli {

using text::percent;
using text::with_separators;

namespace {

struct end_description
{
    const char* name;
    metrics::run_state state;
    exit_status status;
};

// Where it is decided how an end is called, in each format.
end_description description_of(run_end end) noexcept
{
    using metrics::run_state;
    switch (end) {
    case run_end::done:
        return {"done", run_state::done, exit_status::done};
    case run_end::failed:
        break;
    case run_end::timed_out:
        return {"timed out", run_state::failed, exit_status::failed};
    case run_end::drained:
        return {"interrupted and drained", run_state::drained, exit_status::interrupted};
    case run_end::stopped:
        return {"interrupted and stopped", run_state::stopped, exit_status::interrupted};
    }
    return {"failed", run_state::failed, exit_status::failed};
}

std::string capacity_of(const metrics::queue_snapshot& queue)
{
    return is_bounded(queue) ? with_separators(queue.stats.capacity)
                             : text::byte_size_text(queue.stats.weight_limit);
}

bool has_dropped(const metrics::queue_snapshot& queue)
{
    return queue.stats.dropped > 0;
}

table queue_table(const metrics::snapshot& snapshot)
{
    table result{
        .alignments = "<>>>>>>",
        .rows =
            {{"queue",
              "capacity",
              "high water",
              "in",
              "out",
              "waits to enqueue",
              "waits to dequeue"}},
        .spare = {1, 6, 5, 2}
    };
    for (const auto& queue : snapshot.queues)
        result.rows.push_back(
            {queue.name,
             capacity_of(queue),
             with_separators(queue.stats.high_water),
             with_separators(queue.stats.enqueued),
             with_separators(dequeued_from(queue)),
             with_separators(queue.waits_to_enqueue),
             with_separators(queue.waits_to_dequeue)}
        );
    if (std::ranges::any_of(snapshot.queues, has_dropped)) {
        result.rows.front().emplace_back("dropped");
        for (std::size_t i = 0; i < snapshot.queues.size(); ++i)
            result.rows[i + 1].push_back(with_separators(snapshot.queues[i].stats.dropped)
            );
        result.alignments += '>';
    }
    return result;
}

// Of queues on a server, over all processes; without rows if there are none.
table remote_table(const metrics::snapshot& snapshot)
{
    table result{
        .alignments = "<>>>>>>",
        .rows =
            {{"queue on a server",
              "size",
              "pending",
              "oldest",
              "redelivered",
              "dead",
              "read"}},
        .spare = {4, 3, 6, 2}
    };
    const bool has_lost = std::ranges::any_of(snapshot.queues, [](const auto& queue) {
        return queue.remote && queue.remote->lost > 0;
    });
    if (has_lost) {
        result.rows.front().emplace_back("lost");
        result.alignments += '>';
    }
    for (const auto& queue : snapshot.queues) {
        if (!queue.remote)
            continue;
        const metrics::remote_figures& remote = *queue.remote;
        result.rows.push_back(
            {queue.name,
             with_separators(queue.stats.size),
             with_separators(remote.pending),
             remote.oldest_age ? format_duration(*remote.oldest_age) : "-",
             with_separators(remote.redelivered),
             with_separators(remote.dead),
             format_reading(remote)}
        );
        if (has_lost)
            result.rows.back().push_back(with_separators(remote.lost));
    }
    if (result.rows.size() == 1)
        result.rows.clear();
    return result;
}

table runner_table(const metrics::snapshot& snapshot)
{
    table result{
        .alignments = "<<>>>>>>>",
        .rows =
            {{"runner",
              "stage",
              "workers",
              "in",
              "out",
              "busy",
              "no free thread",
              "blocked on enqueue",
              "blocked on dequeue"}},
        .spare = {6, 2, 1, 8, 7}
    };
    for (const auto& runner : snapshot.runners)
        result.rows.push_back(
            {runner.name,
             runner.stage,
             with_separators(runner.workers),
             with_separators(runner.items_in),
             with_separators(runner.items_out),
             percent(share_of_time(runner.busy, runner)),
             percent(share_of_time(runner.ready, runner)),
             percent(share_of_time(runner.blocked_on_enqueue, runner)),
             percent(share_of_time(runner.blocked_on_dequeue, runner))}
        );
    return result;
}

// Bytes that are not UTF-8, in messages, are replaced.
std::string to_line(const nlohmann::ordered_json& document)
{
    using error_handler = nlohmann::ordered_json::error_handler_t;
    return document.dump(-1, ' ', false, error_handler::replace) + "\n";
}

// Only where it helps: a run that failed has another problem, and a short one has none.
std::string bottleneck_of(const metrics::snapshot& snapshot, const run_outcome& outcome)
{
    constexpr std::chrono::seconds worth_it{1};
    const bool is_whole = outcome.end == run_end::done || outcome.end == run_end::drained;
    return is_whole && snapshot.elapsed >= worth_it ? describe_bottleneck(snapshot)
                                                    : std::string();
}

// What was left out, and why the first of it.
std::string skipped_lines(const metrics::snapshot& snapshot)
{
    std::string lines;
    for (const auto& runner : snapshot.runners) {
        if (runner.skipped == 0)
            continue;
        lines += fmt::format(
            "{} left out {} that could not be processed, the first because:\n",
            pipeline::runner_title(runner.name, runner.stage),
            with_separators(runner.skipped)
        );
        for (const std::string& error : runner.first_errors)
            lines += fmt::format("  {}\n", error);
    }
    return lines;
}

// How much a run has read that ended before its input.
std::string read_part(const metrics::snapshot& snapshot, const run_outcome& outcome)
{
    const auto progress = progress_of(snapshot);
    if (outcome.end == run_end::done || !progress)
        return {};
    return fmt::format(", {} of the input read", percent(*progress));
}

// Servers that did not say how their queues are, or not lately; what they have lost, or may.
std::string problem_lines(const metrics::snapshot& snapshot)
{
    std::string lines;
    for (const std::string& line : server_outages().warnings(snapshot))
        lines += line + '\n';
    for (const auto& queue : snapshot.queues)
        if (queue.remote && !queue.remote->problem.empty())
            lines += fmt::format(
                "{}: {}: {}\n",
                text::printable(queue.name),
                queue.remote->read_ago ? "the figures are old"
                                       : "the server has given no figures",
                text::printable(queue.remote->problem)
            );
    return lines;
}

// What became of results that a drain cut short.
std::string partial_lines(const metrics::snapshot& snapshot)
{
    std::string lines;
    for (const auto& runner : snapshot.runners)
        if (!runner.partial_result.empty())
            lines += fmt::format(
                "{} has written the part that is complete to {}\n",
                text::printable(runner.name),
                text::printable(runner.partial_result)
            );
    return lines;
}

}  // namespace

metrics::run_state run_outcome::state() const noexcept
{
    return description_of(end).state;
}

exit_status run_outcome::status() const noexcept
{
    const exit_status status = description_of(end).status;
    return status == exit_status::done && !unwritten.empty() ? exit_status::failed
                                                             : status;
}

std::string report_text(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome,
    std::size_t columns
)
{
    constexpr std::size_t indent = 2;
    std::string text = fmt::format(
        "{}: {} after {}{}\n",
        text::printable(snapshot.name),
        description_of(outcome.end).name,
        format_duration(snapshot.elapsed),
        read_part(snapshot, outcome)
    );
    for (const auto& shown :
         {queue_table(snapshot), remote_table(snapshot), runner_table(snapshot)})
        for (const std::string& line :
             table_lines(shown, columns - std::min(columns, indent)))
            text += std::string(indent, ' ') + line + "\n";
    text += problem_lines(snapshot);
    text += skipped_lines(snapshot);
    text += partial_lines(snapshot);
    if (const std::string bottleneck = bottleneck_of(snapshot, outcome);
        !bottleneck.empty())
        text += bottleneck + "\n";
    return text;
}

nlohmann::ordered_json report_json(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome
)
{
    auto result = nlohmann::ordered_json::parse(report::to_json(snapshot));
    result["outcome"] = description_of(outcome.end).name;
    result["exit_status"] = static_cast<int>(outcome.status());
    if (!outcome.error.empty())
        result["error"] = outcome.error;
    else if (!outcome.unwritten.empty())
        result["error"] = outcome.unwritten.front();
    result["bottleneck"] = bottleneck_of(snapshot, outcome);
    return result;
}

report_writer::report_writer(const report_arguments& arguments)
    : format_(arguments.format)
{
    if (arguments.file.empty())
        return;
    try {
        file_.emplace(arguments.file).open();
    } catch (const std::exception& error) {
        throw command_error(fmt::format("sluice: {}", error.what()));
    }
}

exit_status report_writer::write(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome
)
{
    exit_status status = outcome.status();
    try {
        if (!show(snapshot, outcome) && status == exit_status::done)
            status = exit_status::failed;
    } catch (const std::exception& error) {
        show_message(fmt::format("sluice: {}\n", error.what()));
        status = exit_status::failed;
    }
    for (const std::string& error : outcome.unwritten)
        show_message(fmt::format("sluice: {}\n", error));
    if (!outcome.error.empty())
        show_message(fmt::format("sluice: {}\n", outcome.error));
    return status;
}

void report_writer::abandon() noexcept
{
    if (file_)
        file_->discard();
}

// False if standard error has not taken all of it, where nothing can be said about that either.
bool report_writer::show(const metrics::snapshot& snapshot, const run_outcome& outcome)
{
    if (format_ == report_format::none)
        return true;
    if (format_ == report_format::text)
        return show_message(report_text(snapshot, outcome, columns_for(STDERR_FILENO)));
    const std::string line = to_line(report_json(snapshot, outcome));
    if (!file_)
        return write_best_effort(STDERR_FILENO, line, patience_at_the_end) == line.size();
    file_->write(line);
    file_->complete();
    return true;
}

}  // namespace sluice::cli
