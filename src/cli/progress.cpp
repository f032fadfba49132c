// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "progress.hpp"

#include "text/byte_size.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text_format.hpp"
#include <sluice/metrics/figures.hpp>
#include <sluice/report/snapshot_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sluice::cli {

namespace {

double share_of(std::size_t part, std::size_t limit)
{
    return static_cast<double>(part) /
           static_cast<double>(std::max<std::size_t>(limit, 1));
}

// How full a queue is: in bytes if these are nearer to their limit than its elements.
struct fill
{
    double share;
    std::string figures;
};

fill fill_of(const metrics::queue_snapshot& queue)
{
    const queue_stats& stats = queue.stats;
    const double elements = share_of(stats.size, stats.capacity);
    const double bytes = share_of(stats.weight, stats.weight_limit);
    if (is_bounded(queue) && (stats.weight_limit == 0 || bytes <= elements))
        return {elements, fmt::format("{}/{}", stats.size, stats.capacity)};
    const std::string limit = text::byte_size_text(stats.weight_limit);
    return {bytes, fmt::format("{}/{}", format_bytes(stats.weight), limit)};
}

std::string bar_of(const metrics::queue_snapshot& queue)
{
    constexpr std::size_t length = 20;
    // A batch may exceed the capacity. A single element is visible even among a thousand.
    const double share = std::min(fill_of(queue).share, 1.0);
    const std::size_t least = queue.stats.size > 0 ? 1 : 0;
    const std::size_t filled = std::max(static_cast<std::size_t>(share * length), least);
    return fmt::format("[{:.<{}}]", std::string(filled, '#'), length);
}

// Adds "2 busy", unless it is none.
void add_count(std::vector<std::string>& parts, std::uint64_t count, const char* what)
{
    if (count > 0)
        parts.push_back(fmt::format("{} {}", text::with_separators(count), what));
}

// What waits, what is lost, and of a queue on a server what is pending and when that was read.
std::string state_of(const metrics::queue_snapshot& queue)
{
    std::vector<std::string> parts;
    if (queue.stats.closed)
        parts.emplace_back("closed");
    add_count(parts, queue.stats.waiting_producers, "waiting to enqueue");
    add_count(parts, queue.stats.waiting_consumers, "waiting to dequeue");
    add_count(parts, queue.stats.dropped, "dropped");
    if (queue.remote) {
        add_count(parts, queue.remote->pending, "pending");
        add_count(parts, queue.remote->dead, "dead");
        if (is_stale(queue))
            parts.push_back("read " + format_reading(*queue.remote));
    }
    return fmt::to_string(fmt::join(parts, ", "));
}

std::string state_of(const metrics::runner_snapshot& runner, metrics::run_state state)
{
    if (runner.running == 0)
        return state == metrics::run_state::ready ? "not started" : "ended";
    const std::size_t waiting = runner.waiting_to_enqueue + runner.waiting_to_dequeue +
                                runner.waiting_for_thread;
    std::vector<std::string> parts;
    add_count(parts, runner.running - std::min(waiting, runner.running), "busy");
    add_count(parts, runner.waiting_for_thread, "without a free thread");
    add_count(parts, runner.waiting_to_enqueue, "waiting for room");
    add_count(parts, runner.waiting_to_dequeue, "waiting for input");
    return fmt::to_string(fmt::join(parts, ", "));
}

std::string total(const metrics::snapshot& now)
{
    std::string line = fmt::format(
        "{}: {}, {}",
        now.name,
        to_string(now.state),
        format_duration(now.elapsed)
    );
    if (const auto progress = progress_of(now))
        line += ", " + text::percent(*progress);
    if (const auto left = time_left(now))
        line += fmt::format(", about {} left", format_duration(*left));
    return line;
}

// Of a fixed width, so that the columns do not move.
std::string padded_rate(double per_second)
{
    return fmt::format("{:>9}", format_rate(per_second));
}

// Behind the figures stand the states, of which the end may be cut off.
void add_lines(
    std::vector<std::string>& lines,
    const std::vector<table_row>& figures,
    const std::vector<std::string>& states,
    std::size_t columns
)
{
    const std::vector<std::string> rows = table_lines(figures, columns, 2);
    for (std::size_t i = 0; i < rows.size(); ++i)
        lines.push_back(rows[i] + (states[i].empty() ? "" : "  ") + states[i]);
}

}  // namespace

std::vector<std::string> display_lines(
    const metrics::snapshot& now,
    const metrics::snapshot& before,
    terminal_size size
)
{
    constexpr std::size_t least_columns_for_bars = 60;
    const metrics::rates rates = rates_between(before, now);
    std::vector<std::string> lines;
    std::vector<table_row> figures;
    std::vector<std::string> states;
    for (const metrics::queue_snapshot& queue : now.queues) {
        const double rate = rates.queues[states.size()].dequeued;
        table_row row{queue.name, fill_of(queue).figures, padded_rate(rate)};
        if (size.columns >= least_columns_for_bars)
            row.insert(row.begin() + 1, bar_of(queue));
        figures.push_back(std::move(row));
        states.push_back(state_of(queue));
    }
    add_lines(lines, figures, states, size.columns);
    figures.clear();
    states.clear();
    for (const metrics::runner_snapshot& runner : now.runners) {
        const double rate = rates.runners[states.size()];
        const std::string items = text::with_separators(items_of(runner));
        figures.push_back({runner.name, items, padded_rate(rate)});
        states.push_back(state_of(runner, now.state));
    }
    add_lines(lines, figures, states, size.columns);

    // The cursor stands behind the last line, which therefore needs one more.
    lines.resize(std::min(lines.size(), std::max<std::size_t>(size.lines, 2) - 2));
    lines.push_back(total(now));
    for (std::string& line : lines)
        line = cut(line, size.columns);
    return lines;
}

progress::progress(progress_mode mode, int descriptor)
    : mode_(mode), descriptor_(descriptor), lines_(descriptor)
{
    if (mode_ == progress_mode::automatic)
        mode_ = is_terminal(descriptor) ? progress_mode::bar : progress_mode::none;
}

std::optional<std::chrono::milliseconds> progress::interval() const noexcept
{
    if (mode_ == progress_mode::none)
        return std::nullopt;
    return std::chrono::milliseconds(mode_ == progress_mode::bar ? 200 : 1000);
}

void progress::show(metrics::snapshot now)
{
    if (mode_ == progress_mode::bar)
        lines_.draw(display_lines(now, before_, size_of_terminal(descriptor_)));
    else if (mode_ == progress_mode::json)
        write_line(report::to_json(now) + "\n");
    before_ = std::move(now);
}

void progress::note(std::string_view lines)
{
    lines_.erase();
    unsent_.append(text::printable_lines(lines)).append("\n");
    send();
}

void progress::end()
{
    lines_.erase();
    write_best_effort(descriptor_, unsent_, patience_at_the_end);
}

void progress::write_line(std::string line)
{
    if (unsent_.empty())
        unsent_ = std::move(line);
    send();
}

void progress::send()
{
    unsent_.erase(0, write_best_effort(descriptor_, unsent_));
}

}  // namespace sluice::cli
