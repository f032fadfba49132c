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
#include <initializer_list>
#include <iterator>
#include <utility>

namespace sluice::cli {

namespace {

constexpr std::size_t longest_name = 20;
constexpr std::size_t bar_length = 20;
constexpr std::size_t rate_columns = 9;  // a fixed width, so that the columns do not move

// Since an earlier snapshot, or since the start if there is none.
metrics::rates rates_of(const metrics::snapshot& now, const metrics::snapshot* before)
{
    return rates_between(before ? *before : metrics::snapshot(), now);
}

double share_of(std::size_t part, std::size_t limit)
{
    return static_cast<double>(part) /
           static_cast<double>(std::max<std::size_t>(limit, 1));
}

// Whether bytes are what fills a queue, and not the number of its elements.
bool is_filled_by_bytes(const metrics::queue_snapshot& queue)
{
    const queue_stats& stats = queue.stats;
    return !is_bounded(queue) ||
           (stats.weight_limit > 0 && share_of(stats.weight, stats.weight_limit) >
                                          share_of(stats.size, stats.capacity));
}

std::string fill_bar(const metrics::queue_snapshot& queue)
{
    const queue_stats& stats = queue.stats;
    const double share = is_filled_by_bytes(queue)
                             ? share_of(stats.weight, stats.weight_limit)
                             : share_of(stats.size, stats.capacity);
    // A batch may exceed the capacity. A single element is visible even among a thousand.
    auto filled = static_cast<std::size_t>(std::min(share, 1.0) * bar_length);
    if (filled == 0 && stats.size > 0)
        filled = 1;
    return fmt::format("[{:.<{}}]", std::string(filled, '#'), bar_length);
}

std::string fill_of(const metrics::queue_snapshot& queue)
{
    const queue_stats& stats = queue.stats;
    if (!is_filled_by_bytes(queue))
        return fmt::format("{}/{}", stats.size, stats.capacity);
    return fmt::format(
        "{}/{}",
        format_bytes(stats.weight),
        text::byte_size_text(stats.weight_limit)
    );
}

// "2 busy, 1 waiting for room"; counts of zero are omitted.
std::string list_of(std::initializer_list<std::pair<std::size_t, const char*>> counts)
{
    std::vector<std::string> parts;
    for (const auto& [count, what] : counts)
        if (count > 0)
            parts.push_back(fmt::format("{} {}", count, what));
    return fmt::format("{}", fmt::join(parts, ", "));
}

// Of a queue on a server: "3 pending", "1 dead", and when it was read if that is long ago.
void append_remote(std::vector<std::string>& parts, const metrics::queue_snapshot& queue)
{
    const metrics::remote_figures& remote = *queue.remote;
    if (remote.pending > 0)
        parts.push_back(text::with_separators(remote.pending) + " pending");
    if (remote.dead > 0)
        parts.push_back(text::with_separators(remote.dead) + " dead");
    if (is_stale(queue))
        parts.push_back("read " + format_reading(remote));
}

// "closed, 1 waiting to enqueue, 1,203 dropped"; what does not apply is omitted.
std::string state_of(const metrics::queue_snapshot& queue)
{
    const queue_stats& stats = queue.stats;
    std::vector<std::string> parts;
    if (stats.closed)
        parts.emplace_back("closed");
    if (stats.waiting_producers + stats.waiting_consumers > 0)
        parts.push_back(list_of(
            {{stats.waiting_producers, "waiting to enqueue"},
             {stats.waiting_consumers, "waiting to dequeue"}}
        ));
    if (stats.dropped > 0)
        parts.push_back(text::with_separators(stats.dropped) + " dropped");
    if (queue.remote)
        append_remote(parts, queue);
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string activity(const metrics::runner_snapshot& runner, metrics::run_state state)
{
    if (runner.running == 0)
        return state == metrics::run_state::ready ? "not started" : "ended";
    const std::size_t waiting = runner.waiting_to_enqueue + runner.waiting_to_dequeue +
                                runner.waiting_for_thread;
    return list_of(
        {{runner.running - std::min(waiting, runner.running), "busy"},
         {runner.waiting_for_thread, "without a free thread"},
         {runner.waiting_to_enqueue, "waiting for room"},
         {runner.waiting_to_dequeue, "waiting for input"}}
    );
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

// Behind the figures stands what may be cut off.
void append(std::string& line, const std::string& rest)
{
    if (!rest.empty())
        line += "  " + rest;
}

std::vector<std::string> queue_lines(
    const metrics::snapshot& now,
    const metrics::rates& rates,
    std::size_t columns
)
{
    table figures{.alignments = "<<>>", .spare = {1}};
    for (const auto& queue : now.queues)
        figures.rows.push_back(
            {cut(queue.name, longest_name),
             fill_bar(queue),
             fill_of(queue),
             fmt::format(
                 "{:>{}}",
                 format_rate(rates.queues[figures.rows.size()].dequeued),
                 rate_columns
             )}
        );
    std::vector<std::string> lines = table_lines(std::move(figures), columns);
    for (std::size_t i = 0; i < lines.size(); ++i)
        append(lines[i], state_of(now.queues[i]));
    return lines;
}

std::vector<std::string> runner_lines(
    const metrics::snapshot& now,
    const metrics::rates& rates,
    std::size_t columns
)
{
    table figures{.alignments = "<>>"};
    for (const metrics::runner_snapshot& runner : now.runners)
        figures.rows.push_back(
            {cut(runner.name, longest_name),
             text::with_separators(items_of(runner)),
             fmt::format(
                 "{:>{}}",
                 format_rate(rates.runners[figures.rows.size()]),
                 rate_columns
             )}
        );
    std::vector<std::string> lines = table_lines(std::move(figures), columns);
    for (std::size_t i = 0; i < lines.size(); ++i)
        append(lines[i], activity(now.runners[i], now.state));
    return lines;
}

}  // namespace

std::vector<std::string> display_lines(
    const metrics::snapshot& now,
    const metrics::snapshot* before,
    terminal_size size
)
{
    const metrics::rates rates = rates_of(now, before);
    constexpr std::size_t indent = 2;
    const std::size_t columns = std::max(size.columns, indent) - indent;
    std::vector<std::string> lines = queue_lines(now, rates, columns);
    std::ranges::move(runner_lines(now, rates, columns), std::back_inserter(lines));

    // The cursor stands behind the last line, which therefore needs one more.
    const std::size_t room = std::max<std::size_t>(size.lines, 2) - 2;
    if (lines.size() > room)
        lines.resize(room);
    for (std::string& line : lines)
        line = cut("  " + line, size.columns);
    lines.push_back(cut(total(now), size.columns));
    return lines;
}

std::string plain_line(const metrics::snapshot& now, const metrics::snapshot* before)
{
    const metrics::rates rates = rates_of(now, before);
    std::string line = total(now);
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const metrics::queue_snapshot& queue = now.queues[i];
        line += fmt::format(
            "; {} {} {}",
            queue.name,
            fill_of(queue),
            format_rate(rates.queues[i].dequeued)
        );
        if (queue.stats.dropped > 0)
            line +=
                fmt::format(", {} dropped", text::with_separators(queue.stats.dropped));
        if (queue.remote) {
            std::vector<std::string> parts;
            append_remote(parts, queue);
            for (const std::string& part : parts)
                line += ", " + part;
        }
    }
    return text::printable(line);
}

progress::progress(progress_mode mode, int descriptor)
    : mode_(mode), descriptor_(descriptor), lines_(descriptor)
{
    if (mode_ == progress_mode::automatic)
        mode_ = is_terminal(descriptor) ? progress_mode::bar : progress_mode::none;
}

std::optional<std::chrono::milliseconds> progress::interval() const noexcept
{
    switch (mode_) {
    case progress_mode::bar:
        return std::chrono::milliseconds(200);
    case progress_mode::plain:
    case progress_mode::json:
        return std::chrono::milliseconds(1000);
    case progress_mode::automatic:
    case progress_mode::none:
        break;
    }
    return std::nullopt;
}

void progress::show(metrics::snapshot now)
{
    const auto* const before = before_ ? &*before_ : nullptr;
    switch (mode_) {
    case progress_mode::bar:
        lines_.draw(display_lines(now, before, size_of_terminal(descriptor_)));
        break;
    case progress_mode::plain:
        write_line(plain_line(now, before) + "\n");
        break;
    case progress_mode::json:
        write_line(report::to_json(now) + "\n");
        break;
    case progress_mode::automatic:
    case progress_mode::none:
        break;
    }
    before_ = std::move(now);
}

void progress::note(std::string_view line)
{
    lines_.erase();
    unsent_.append(text::printable(line)).append("\n");
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
