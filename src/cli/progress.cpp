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

constexpr std::size_t longest_name = 20;
constexpr std::size_t bar_length = 20;
constexpr std::size_t rate_columns = 9;  // a fixed width, so that the columns do not move

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
    const std::string limit = text::byte_size_text(stats.weight_limit);
    return fmt::format("{}/{}", format_bytes(stats.weight), limit);
}

// "2 busy, 1 waiting for room"; counts of zero are omitted.
class counts
{
public:
    counts& add(std::uint64_t count, std::string_view what)
    {
        return count == 0 ? *this : add(text::with_separators(count).append(what));
    }

    counts& add(std::string part)
    {
        parts_.push_back(std::move(part));
        return *this;
    }

    [[nodiscard]] std::string text() const
    {
        return fmt::to_string(fmt::join(parts_, ", "));
    }

private:
    std::vector<std::string> parts_;
};

// What is lost, and of a queue on a server what is pending and when that was read.
void add_losses(counts& parts, const metrics::queue_snapshot& queue)
{
    parts.add(queue.stats.dropped, " dropped");
    if (!queue.remote)
        return;
    parts.add(queue.remote->pending, " pending").add(queue.remote->dead, " dead");
    if (is_stale(queue))
        parts.add("read " + format_reading(*queue.remote));
}

std::string state_of(const metrics::queue_snapshot& queue)
{
    counts parts;
    if (queue.stats.closed)
        parts.add("closed");
    parts.add(queue.stats.waiting_producers, " waiting to enqueue")
        .add(queue.stats.waiting_consumers, " waiting to dequeue");
    add_losses(parts, queue);
    return parts.text();
}

std::string state_of(const metrics::runner_snapshot& runner, metrics::run_state state)
{
    if (runner.running == 0)
        return state == metrics::run_state::ready ? "not started" : "ended";
    const std::size_t waiting = runner.waiting_to_enqueue + runner.waiting_to_dequeue +
                                runner.waiting_for_thread;
    return counts()
        .add(runner.running - std::min(waiting, runner.running), " busy")
        .add(runner.waiting_for_thread, " without a free thread")
        .add(runner.waiting_to_enqueue, " waiting for room")
        .add(runner.waiting_to_dequeue, " waiting for input")
        .text();
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

std::string padded_rate(double per_second)
{
    return fmt::format("{:>{}}", format_rate(per_second), rate_columns);
}

}  // namespace

std::vector<std::string> display_lines(
    const metrics::snapshot& now,
    const metrics::snapshot& before,
    terminal_size size
)
{
    const metrics::rates rates = rates_between(before, now);
    std::vector<std::string> lines;
    // Behind the figures stands what may be cut off.
    std::vector<std::string> states;
    const auto add_lines = [&](table figures) {
        for (const std::string& line : table_lines(std::move(figures), size.columns, 2)) {
            const std::string& state = states[lines.size()];
            lines.push_back(line + (state.empty() ? "" : "  ") + state);
        }
    };
    table queues{.alignments = "<<>>", .spare = {1}};
    for (const metrics::queue_snapshot& queue : now.queues) {
        const std::string rate = padded_rate(rates.queues[states.size()].dequeued);
        queues.rows.push_back(
            {cut(queue.name, longest_name), fill_bar(queue), fill_of(queue), rate}
        );
        states.push_back(state_of(queue));
    }
    add_lines(std::move(queues));
    table runners{.alignments = "<>>"};
    for (const metrics::runner_snapshot& runner : now.runners) {
        const std::string rate = padded_rate(rates.runners[runners.rows.size()]);
        const std::string items = text::with_separators(items_of(runner));
        runners.rows.push_back({cut(runner.name, longest_name), items, rate});
        states.push_back(state_of(runner, now.state));
    }
    add_lines(std::move(runners));

    // The cursor stands behind the last line, which therefore needs one more.
    lines.resize(std::min(lines.size(), std::max<std::size_t>(size.lines, 2) - 2));
    lines.push_back(total(now));
    for (std::string& line : lines)
        line = cut(line, size.columns);
    return lines;
}

std::string plain_line(const metrics::snapshot& now, const metrics::snapshot& before)
{
    const metrics::rates rates = rates_between(before, now);
    std::string line = total(now);
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const metrics::queue_snapshot& queue = now.queues[i];
        counts parts;
        parts.add(fmt::format(
            "; {} {} {}",
            queue.name,
            fill_of(queue),
            format_rate(rates.queues[i].dequeued)
        ));
        add_losses(parts, queue);
        line += parts.text();
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
    if (mode_ == progress_mode::none)
        return std::nullopt;
    return std::chrono::milliseconds(mode_ == progress_mode::bar ? 200 : 1000);
}

void progress::show(metrics::snapshot now)
{
    if (mode_ == progress_mode::bar)
        lines_.draw(display_lines(now, before_, size_of_terminal(descriptor_)));
    else if (mode_ == progress_mode::plain)
        write_line(plain_line(now, before_) + "\n");
    else if (mode_ == progress_mode::json)
        write_line(report::to_json(now) + "\n");
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
