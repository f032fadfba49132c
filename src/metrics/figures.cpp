// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/figures.hpp>

#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace sluice::metrics {

namespace {

bool is_source(const runner_snapshot& runner) noexcept
{
    return runner.from.empty();
}

// Then a source that has ended need not have read everything.
bool is_cut_short(const snapshot& all)
{
    const bool is_whole = all.state == run_state::ready ||
                          all.state == run_state::running || all.state == run_state::done;
    return !is_whole ||
           std::ranges::any_of(all.coordinators, &coordinator_snapshot::stop_requested);
}

// For each part of a snapshot that of an earlier one: of several with one name the first for the
// first; null if it was not there yet.
template <class Part>
std::vector<const Part*> find_earlier(
    const std::vector<Part>& before,
    const std::vector<Part>& now
)
{
    std::multimap<std::string_view, const Part*> left;
    for (const Part& each : before)
        left.emplace(each.name, &each);
    std::vector<const Part*> found;
    for (const Part& each : now) {
        const auto first = left.lower_bound(each.name);
        const bool is_there = first != left.end() && first->first == each.name;
        found.push_back(is_there ? left.extract(first).mapped() : nullptr);
    }
    return found;
}

// What was counted may be less than before: a new queue has the name of one that is gone.
double rate(std::uint64_t now, std::uint64_t before, double seconds) noexcept
{
    return seconds > 0 && now > before ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace

std::chrono::nanoseconds time_of_workers(const runner_snapshot& runner) noexcept
{
    return runner.busy + runner.ready + runner.blocked_on_enqueue +
           runner.blocked_on_dequeue;
}

double share_of_time(
    std::chrono::nanoseconds part,
    const runner_snapshot& runner
) noexcept
{
    const std::chrono::duration<double> whole = time_of_workers(runner);
    return whole.count() > 0 ? part / whole : 0;
}

bool is_bounded(const queue_snapshot& queue) noexcept
{
    return queue.stats.capacity != unbounded;
}

bool has_weight_limit(const queue_snapshot& queue) noexcept
{
    return queue.stats.weight_limit != unbounded;
}

bool is_known(const queue_snapshot& queue) noexcept
{
    return !queue.remote || queue.remote->read_ago.has_value();
}

bool is_stale(const queue_snapshot& queue) noexcept
{
    constexpr std::chrono::seconds fresh{5};
    if (!queue.remote)
        return false;
    const remote_figures& remote = *queue.remote;
    return !remote.read_ago || *remote.read_ago > fresh || !remote.problem.empty();
}

std::uint64_t dequeued_from(const queue_snapshot& queue) noexcept
{
    return queue.stats.dequeued - queue.stats.returned;
}

std::uint64_t items_of(const runner_snapshot& runner) noexcept
{
    return is_source(runner) ? runner.items_out : runner.items_in;
}

std::optional<double> progress_of(const snapshot& all)
{
    const bool may_be_cut_short = is_cut_short(all);
    std::optional<double> slowest;
    for (const auto& runner : all.runners) {
        if (!is_source(runner))
            continue;
        const bool has_ended = runner.running == 0 && runner.items_out > 0 &&
                               !may_be_cut_short;
        const auto progress = has_ended ? std::optional(1.0) : runner.progress;
        if (!progress)
            return std::nullopt;
        slowest = std::min(slowest.value_or(1.0), std::clamp(*progress, 0.0, 1.0));
    }
    return slowest;
}

std::optional<std::chrono::nanoseconds> time_left(const snapshot& all)
{
    // The first percent is no measure: files are opened, queues fill. And sources that have read
    // everything do not know what the stages behind them still have to do.
    constexpr double enough = 0.01;
    const auto progress = progress_of(all);
    if (all.state != run_state::running || !progress || *progress < enough ||
        *progress >= 1)
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        all.elapsed * ((1 - *progress) / *progress)
    );
}

double seconds_of(std::chrono::nanoseconds duration) noexcept
{
    return std::chrono::duration<double>(duration).count();
}

rates rates_between(const snapshot& before, const snapshot& now)
{
    const double seconds = seconds_of(now.elapsed - before.elapsed);
    rates result;
    const auto earlier_queues = find_earlier(before.queues, now.queues);
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const queue_snapshot& queue = now.queues[i];
        const queue_snapshot* const earlier = earlier_queues[i];
        result.queues.push_back(
            {rate(queue.stats.enqueued, earlier ? earlier->stats.enqueued : 0, seconds),
             rate(dequeued_from(queue), earlier ? dequeued_from(*earlier) : 0, seconds)}
        );
    }
    const auto earlier_runners = find_earlier(before.runners, now.runners);
    for (std::size_t i = 0; i < now.runners.size(); ++i) {
        const runner_snapshot& runner = now.runners[i];
        const runner_snapshot* const earlier = earlier_runners[i];
        result.runners.push_back(
            rate(items_of(runner), earlier ? items_of(*earlier) : 0, seconds)
        );
    }
    return result;
}

}  // namespace sluice::metrics
