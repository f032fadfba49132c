// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "display.hpp"

#include "number_format.hpp"
#include "snapshot_figures.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice::cli {

using pipeline::pipeline_snapshot;
using pipeline::runner_snapshot;

namespace {

constexpr std::size_t longest_name = 20;
constexpr std::size_t bar_length = 20;
constexpr std::size_t rate_columns = 9;

// How many per second since the earlier snapshot.
class rates
{
public:
    rates(const pipeline_snapshot& now, const pipeline_snapshot* before)
        : seconds_(seconds_of(now.elapsed - (before ? before->elapsed : now.elapsed * 0)))
    {
    }

    [[nodiscard]] std::string of(std::uint64_t now, std::uint64_t before) const
    {
        const bool known = seconds_ > 0 && now >= before;
        return format_rate(known ? static_cast<double>(now - before) / seconds_ : 0);
    }

private:
    double seconds_;
};

std::string fill_bar(const queue_stats& stats)
{
    const std::size_t capacity = std::max<std::size_t>(stats.capacity, 1);
    // A batch may exceed the capacity. One element is seen, also of a thousand.
    std::size_t filled = std::min(bar_length, stats.size * bar_length / capacity);
    if (filled == 0 && stats.size > 0)
        filled = 1;
    return "[" + std::string(filled, '#') + std::string(bar_length - filled, '.') + "]";
}

void add_part(std::string& parts, const std::string& part)
{
    parts += (parts.empty() ? "" : ", ") + part;
}

void add_count(std::string& parts, std::size_t count, const std::string& what)
{
    if (count > 0)
        add_part(parts, std::to_string(count) + " " + what);
}

std::string waiters(const queue_stats& stats)
{
    std::string result;
    add_count(result, stats.waiting_producers, "waiting to put");
    add_count(result, stats.waiting_consumers, "waiting to take");
    if (stats.closed)
        add_part(result, "closed");
    return result;
}

std::string activity(const runner_snapshot& runner, pipeline::run_state state)
{
    if (runner.running == 0)
        return state == pipeline::run_state::ready ? "not started" : "ended";
    const std::size_t waiting = runner.waiting_to_put + runner.waiting_to_take;
    std::string result;
    add_count(result, runner.running - std::min(waiting, runner.running), "busy");
    add_count(result, runner.waiting_to_put, "waiting for room");
    add_count(result, runner.waiting_to_take, "waiting for input");
    return result;
}

std::string total(const pipeline_snapshot& now)
{
    std::string result = now.name + ": " + to_string(now.state) + ", " +
                         format_duration(now.elapsed);
    if (const auto progress = progress_of(now))
        add_part(result, format_share(*progress));
    if (const auto left = time_left(now))
        add_part(result, "about " + format_duration(*left) + " left");
    return result;
}

std::vector<std::string> queue_lines(
    const pipeline_snapshot& now,
    const pipeline_snapshot* before
)
{
    const rates rate(now, before);
    table lines(
        {alignment::left,
         alignment::left,
         alignment::right,
         alignment::right,
         alignment::left}
    );
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const auto& [name, type, stats, puts, takes] = now.queues[i];
        lines.add(
            {cut(name, longest_name),
             fill_bar(stats),
             std::to_string(stats.size) + "/" + std::to_string(stats.capacity),
             pad_left(
                 rate.of(stats.dequeued, before ? before->queues[i].stats.dequeued : 0),
                 rate_columns
             ),
             waiters(stats)}
        );
    }
    return lines.lines();
}

std::vector<std::string> runner_lines(
    const pipeline_snapshot& now,
    const pipeline_snapshot* before
)
{
    const rates rate(now, before);
    table lines({alignment::left, alignment::right, alignment::right, alignment::left});
    for (std::size_t i = 0; i < now.runners.size(); ++i) {
        const runner_snapshot& runner = now.runners[i];
        lines.add(
            {cut(runner.name, longest_name),
             format_count(items_of(runner)),
             pad_left(
                 rate.of(items_of(runner), before ? items_of(before->runners[i]) : 0),
                 rate_columns
             ),
             activity(runner, now.state)}
        );
    }
    return lines.lines();
}

}  // namespace

std::vector<std::string> display_lines(
    const pipeline_snapshot& now,
    const pipeline_snapshot* before,
    display_size size
)
{
    std::vector<std::string> lines = queue_lines(now, before);
    const auto runners = runner_lines(now, before);
    lines.insert(lines.end(), runners.begin(), runners.end());

    // The cursor stands behind the last line, which therefore needs one more.
    const std::size_t room = std::max<std::size_t>(size.lines, 2) - 2;
    if (lines.size() > room)
        lines.resize(room);
    for (std::string& line : lines)
        line = cut("  " + line, size.columns);
    lines.push_back(cut(total(now), size.columns));
    return lines;
}

std::string plain_line(const pipeline_snapshot& now, const pipeline_snapshot* before)
{
    const rates rate(now, before);
    std::string line = total(now);
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const queue_stats& stats = now.queues[i].stats;
        line += "; " + now.queues[i].name + " " + std::to_string(stats.size) + "/" +
                std::to_string(stats.capacity) + " " +
                rate.of(stats.dequeued, before ? before->queues[i].stats.dequeued : 0);
    }
    return cut(line, line.size());
}

}  // namespace sluice::cli
