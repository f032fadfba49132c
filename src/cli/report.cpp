// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/report/snapshot_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::cli {

using metrics::queue_snapshot;
using pipeline::detail::counted;
using pipeline::detail::in_quotes;
using text::percent;

namespace {

// In the order of the enumerators of run_end.
struct
{
    const char* name;
    metrics::run_state state;
    exit_status status;
} constexpr ends[] = {
    {"done", metrics::run_state::done, exit_status::done},
    {"failed", metrics::run_state::failed, exit_status::failed},
    {"timed out", metrics::run_state::failed, exit_status::failed},
    {"interrupted and drained", metrics::run_state::drained, exit_status::interrupted},
    {"interrupted and stopped", metrics::run_state::stopped, exit_status::interrupted}
};

// How an end is called, in each format.
const auto& description_of(run_end end) noexcept
{
    return ends[static_cast<std::size_t>(end)];
}

constexpr auto grouped = text::with_separators;

// Of each table the first columns are those that a narrow terminal shows, too.
std::vector<table_row> queue_table(const metrics::snapshot& snapshot)
{
    std::vector<table_row> rows{{"queue", "in", "out", "size", "capacity", "high water"}};
    for (const metrics::queue_snapshot& queue : snapshot.queues)
        rows.push_back(
            {queue.name,
             grouped(queue.stats.enqueued),
             grouped(dequeued_from(queue)),
             grouped(queue.stats.size),
             is_bounded(queue) ? grouped(queue.stats.capacity)
                               : text::byte_size_text(queue.stats.weight_limit),
             grouped(queue.stats.high_water)}
        );
    return rows;
}

std::vector<table_row> runner_table(const metrics::snapshot& snapshot)
{
    std::vector<table_row> rows{
        {"runner",
         "in",
         "out",
         "busy",
         "blocked on enqueue",
         "blocked on dequeue",
         "no free thread",
         "workers",
         "stage"}
    };
    for (const metrics::runner_snapshot& runner : snapshot.runners) {
        const auto share = [&runner](std::chrono::nanoseconds part) {
            return percent(share_of_time(part, runner));
        };
        rows.push_back(
            {runner.name,
             grouped(runner.items_in),
             grouped(runner.items_out),
             share(runner.busy),
             share(runner.blocked_on_enqueue),
             share(runner.blocked_on_dequeue),
             share(runner.ready),
             grouped(runner.workers),
             runner.stage}
        );
    }
    return rows;
}

// The tables of at most so many columns.
std::vector<std::string> figure_lines(
    const metrics::snapshot& snapshot,
    std::size_t columns
)
{
    std::vector<std::string> lines = table_lines(queue_table(snapshot), columns, 2);
    for (std::string& line : table_lines(runner_table(snapshot), columns, 2))
        lines.push_back(std::move(line));
    return lines;
}

// The last line of the display, for the whole. A narrow one has a short bar, or none.
std::string total(const metrics::snapshot& now, std::size_t columns)
{
    std::string line = fmt::format(
        "{}: {}, {}",
        now.name,
        to_string(now.state),
        format_duration(now.elapsed)
    );
    std::string end;
    if (const auto left = time_left(now))
        end = fmt::format(", about {} left", format_duration(*left));
    if (const auto share = progress_of(now)) {
        end = ' ' + percent(*share) + end;
        constexpr std::size_t longest = 20;
        constexpr std::size_t shortest = 5;
        const std::size_t others = text::columns_of(line + " []" + end);
        const std::size_t length = std::min(columns - std::min(columns, others), longest);
        if (length >= shortest) {
            const double done = *share * static_cast<double>(length);
            const std::string bar(static_cast<std::size_t>(done), '#');
            line += fmt::format(" [{:.<{}}]", bar, length);
        }
    }
    return cut_to_end(line + end, columns);
}

// Only where it helps: a run that failed has another problem, and a short one has none.
std::string bottleneck_of(const metrics::snapshot& snapshot, const run_outcome& outcome)
{
    constexpr std::chrono::seconds worth_it{1};
    const bool is_whole = outcome.end == run_end::done || outcome.end == run_end::drained;
    return is_whole && snapshot.elapsed >= worth_it ? describe_bottleneck(snapshot)
                                                    : std::string();
}

// How much a run has read that ended before its input.
std::string read_part(const metrics::snapshot& snapshot, const run_outcome& outcome)
{
    const auto progress = progress_of(snapshot);
    if (outcome.end == run_end::done || !progress)
        return {};
    return fmt::format(", {} of the input read", percent(*progress));
}

// What has gone wrong with a queue, or may.
std::string warning_of(const queue_snapshot& queue)
{
    return fmt::format(
        "warning about the queue {}: {}",
        in_quotes(queue.name),
        text::printable(queue.remote->warning)
    );
}

// How a queue on a server is, over all processes, and why that is not known, or not lately.
std::string remark_about(const metrics::queue_snapshot& queue)
{
    const metrics::remote_figures& remote = *queue.remote;
    return fmt::format(
        "{} on its server: {} elements, {} pending, {} redelivered, {} dead{}; read "
        "{}{}{}",
        text::printable(queue.name),
        grouped(queue.stats.size),
        grouped(remote.pending),
        grouped(remote.redelivered),
        grouped(remote.dead),
        remote.lost > 0 ? fmt::format(", {} lost", grouped(remote.lost)) : "",
        remote.read_ago ? format_duration(*remote.read_ago) + " ago" : "never",
        remote.problem.empty() ? "" : ": ",
        text::printable(remote.problem)
    );
}

// What a server says of its queues, and warns of. What was dropped and left out, and why the first
// of it. What became of results that a drain cut short.
std::vector<std::string> remarks(const metrics::snapshot& snapshot)
{
    using text::printable;
    std::vector<std::string> lines;
    for (const auto& queue : snapshot.queues) {
        if (queue.stats.dropped > 0)
            lines.push_back(fmt::format(
                "{} has dropped {} elements",
                printable(queue.name),
                grouped(queue.stats.dropped)
            ));
        if (queue.remote)
            lines.push_back(remark_about(queue));
        if (queue.remote && !queue.remote->warning.empty())
            lines.push_back(warning_of(queue));
    }
    for (const auto& runner : snapshot.runners) {
        if (runner.skipped > 0)
            lines.push_back(fmt::format(
                "{} left out {} that could not be processed, the first because:",
                pipeline::detail::runner_title(runner.name, runner.stage),
                grouped(runner.skipped)
            ));
        for (const std::string& error : runner.first_errors)
            lines.push_back("  " + error);
        if (!runner.partial_result.empty())
            lines.push_back(fmt::format(
                "{} has written the part that is complete to {}",
                printable(runner.name),
                printable(runner.partial_result)
            ));
    }
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
    std::string text = fmt::format(
        "{}: {} after {}{}\n",
        text::printable(snapshot.name),
        description_of(outcome.end).name,
        format_duration(snapshot.elapsed),
        read_part(snapshot, outcome)
    );
    for (const std::string& line : figure_lines(snapshot, columns))
        text += line + "\n";
    for (const std::string& line : remarks(snapshot))
        text += line + "\n";
    const std::string bottleneck = bottleneck_of(snapshot, outcome);
    return bottleneck.empty() ? text : text + bottleneck + "\n";
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
    return fmt::format("{}", fmt::join(losses, "; "));
}

std::string describe_unheard(const metrics::snapshot& now)
{
    std::vector<std::string> queues;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && !queue.remote->read_ago)
            queues.push_back(in_quotes(queue.name));
    const auto all = fmt::format("{}", fmt::join(queues, ", "));
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
        "{} of {} {} not ended within {} of the stop; see what reads the output, lower "
        "\"kill_after\" of a command, or raise \"stop_grace_period\" of the coordinator",
        counted(workers, "worker"),
        fmt::join(runners, ", "),
        workers == 1 ? "has" : "have",
        text::duration_text(grace_period)
    );
}

std::vector<std::string> display_lines(const metrics::snapshot& now, terminal_size size)
{
    std::vector<std::string> lines = figure_lines(now, size.columns);
    // The cursor stands behind the last line, which therefore needs one more.
    lines.resize(std::min(lines.size(), std::max<std::size_t>(size.lines, 2) - 2));
    lines.push_back(total(now, size.columns));
    return lines;
}

progress::progress(const std::string& mode, int descriptor, pipeline::output& results)
    : mode_(mode), descriptor_(descriptor), lines_(descriptor, results)
{
    if (mode_ == "auto")
        mode_ = is_terminal(descriptor) ? "bar" : "none";
}

std::chrono::milliseconds progress::interval() const noexcept
{
    return std::chrono::milliseconds(mode_ == "bar" ? 200 : 1000);
}

void progress::show(const metrics::snapshot& now)
{
    if (mode_ == "bar")
        lines_.draw(display_lines(now, size_of_terminal(descriptor_)));
    if (mode_ != "json")
        return;
    if (unsent_.empty())
        unsent_ = report::to_json(now) + "\n";
    send();
}

void progress::note(std::string_view lines)
{
    if (lines.empty())
        return;
    lines_.erase();
    unsent_.append(text::printable_lines(lines)).append("\n");
    send();
}

void progress::end()
{
    lines_.erase();
    write_best_effort(descriptor_, unsent_, patience_at_the_end);
}

void progress::send()
{
    unsent_.erase(0, write_best_effort(descriptor_, unsent_));
}

}  // namespace sluice::cli
