// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/bottleneck.hpp>

#include "text/number.hpp"
#include <sluice/metrics/figures.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice::metrics {

using text::percent;
using text::with_separators;

namespace {

double busy_share(const runner_snapshot& runner)
{
    return share_of_time(runner.busy, runner);
}

std::string times(std::uint64_t count)
{
    return count == 1 ? "once" : with_separators(count) + " times";
}

std::string elements(std::uint64_t count)
{
    return count == 1 ? "1 element" : with_separators(count) + " elements";
}

std::string in_quotes(const std::string& name)
{
    return "\"" + name + "\"";
}

// "1 operation waits", "3 operations wait"
std::string operations_wait(std::size_t count)
{
    return count == 1 ? "1 operation waits" : with_separators(count) + " operations wait";
}

const queue_snapshot* find_queue(const snapshot& all, const std::string& name)
{
    const auto found = std::ranges::find(all.queues, name, &queue_snapshot::name);
    return found == all.queues.end() ? nullptr : &*found;
}

// The runner whose workers are busiest. One that has done nothing yet does not count.
const runner_snapshot* busiest(const snapshot& all)
{
    const auto found = std::ranges::max_element(all.runners, {}, busy_share);
    const bool worked = found != all.runners.end() && found->busy.count() > 0;
    return worked ? &*found : nullptr;
}

// What was counted, or else what is seen at this moment.
std::string sign_before(const queue_snapshot& queue)
{
    const std::string begin = "; the queue " + in_quotes(queue.name) + " before it ";
    if (queue.stats.dropped > 0)
        return begin + "was full and dropped " + elements(queue.stats.dropped);
    if (queue.waits_to_enqueue > 0)
        return begin + "was full " + times(queue.waits_to_enqueue) +
               " when others wanted to enqueue";
    if (queue.stats.waiting_producers > 0)
        return begin + "is full, and " + operations_wait(queue.stats.waiting_producers) +
               " to enqueue";
    return {};
}

std::string sign_behind(const queue_snapshot& queue)
{
    const std::string begin = "; the queue " + in_quotes(queue.name) + " behind it ";
    if (queue.waits_to_dequeue > 0)
        return begin + "was empty " + times(queue.waits_to_dequeue) +
               " when others wanted to dequeue";
    if (queue.stats.waiting_consumers > 0)
        return begin + "is empty, and " + operations_wait(queue.stats.waiting_consumers) +
               " to dequeue";
    return {};
}

std::string signs_around(const runner_snapshot& runner, const snapshot& all)
{
    const queue_snapshot* const before = find_queue(all, runner.from);
    std::string signs = before ? sign_before(*before) : std::string();
    bool has_queues = before != nullptr;
    for (const std::string& name : runner.to)
        if (const queue_snapshot* const behind = find_queue(all, name)) {
            signs += sign_behind(*behind);
            has_queues = true;
        }
    if (signs.empty() && has_queues)
        signs = "; the queues around it made no other runner wait";
    const bool is_source = runner.from.empty();
    return signs + (is_source ? ". Everything behind it waits for what it reads." : ".");
}

// How much of the time of all workers they were ready without a free thread.
double share_without_thread(const snapshot& all)
{
    std::chrono::duration<double> ready{};
    std::chrono::duration<double> whole{};
    for (const runner_snapshot& runner : all.runners) {
        ready += runner.ready;
        whole += time_of_workers(runner);
    }
    return whole.count() > 0 ? ready / whole : 0;
}

std::string remedy_for_threads(const snapshot& all)
{
    if (all.threads == 0)
        return "More threads help while there are idle processors; otherwise give them "
               "less to do.";
    const std::string there_are = std::to_string(all.threads) + " for " +
                                  std::to_string(all.processors) +
                                  (all.processors == 1 ? " processor" : " processors");
    if (all.threads < all.processors)
        return "Try --threads " + std::to_string(all.processors) + ": there are " +
               there_are + ".";
    return "More threads do not help, because there are " + there_are +
           "; give them less to do.";
}

std::string remedy(const runner_snapshot& runner, const snapshot& all)
{
    if (!runner.own_limit.empty())
        return "More workers for it do not help, because it holds itself to " +
               runner.own_limit + ".";
    if (runner.parts && *runner.parts <= runner.workers)
        return "More workers for it do not help, because its input is " +
               (*runner.parts == 1 ? "one file" : std::to_string(*runner.parts) + " files"
               ) +
               ".";
    constexpr double notable = 0.25;
    const bool has_all_threads = all.threads > 0 && runner.workers >= all.threads;
    const bool lacks_threads = has_all_threads ||
                               share_of_time(runner.ready, runner) >= notable;
    const bool may_have_more = all.threads == 0 || all.threads < all.processors;
    if (lacks_threads && may_have_more)
        return remedy_for_threads(all);
    return runner.workers == 1
               ? "More workers for it help if its stage can share the work and there are "
                 "idle processors."
               : "More workers for it help while there are idle processors; otherwise "
                 "give it less to do.";
}

std::string limit_of_threads(const snapshot& all)
{
    const auto most_work =
        std::ranges::max_element(all.runners, {}, &runner_snapshot::busy);
    return "There is more work than threads: the workers were ready, with no free "
           "thread, " +
           percent(share_without_thread(all)) +
           " of the time. Most of the work is that of " + in_quotes(most_work->name) +
           ". " + remedy_for_threads(all);
}

std::string limit_of_runners(const snapshot& all, const runner_snapshot& limit)
{
    // Below this share it waits itself: for time, or for turns with the others.
    constexpr double limits_the_others = 0.5;
    const double share = busy_share(limit);
    constexpr double is_lack = 0.25;
    if (share < limits_the_others && share_without_thread(all) >= is_lack)
        return limit_of_threads(all);
    if (share < limits_the_others)
        return "No runner was busy most of the time; the busiest, " +
               in_quotes(limit.name) + ", " + percent(share) +
               ". The runners wait for each other: larger queues or batches help, more "
               "workers do not.";
    const std::string workers = limit.workers == 1
                                    ? "worker was"
                                    : std::to_string(limit.workers) + " workers were";
    return "The bottleneck is " + in_quotes(limit.name) + ": its " + workers + " busy " +
           percent(share) + " of the time" + signs_around(limit, all) + " " +
           remedy(limit, all);
}

// Behind the last full queue is who is too slow; before the first empty one, if none is full.
std::string limit_of_queues(const snapshot& all)
{
    for (auto queue = all.queues.rbegin(); queue != all.queues.rend(); ++queue)
        if (queue->stats.waiting_producers > 0 && queue->stats.waiting_consumers == 0)
            return "The queue " + in_quotes(queue->name) + " is full, and " +
                   operations_wait(queue->stats.waiting_producers) +
                   " to enqueue: what dequeues from it limits the flow.";
    for (const queue_snapshot& queue : all.queues)
        if (queue.stats.waiting_consumers > 0 && queue.stats.size == 0)
            return "The queue " + in_quotes(queue.name) + " is empty, and " +
                   operations_wait(queue.stats.waiting_consumers) +
                   " to dequeue: what enqueues into it limits the flow.";
    return {};
}

}  // namespace

std::string describe_bottleneck(const snapshot& all)
{
    for (const runner_snapshot& runner : all.runners)
        if (runner.paused && runner.running > 0)
            return "The runner " + in_quotes(runner.name) + " is paused.";
    const runner_snapshot* const limit = busiest(all);
    return limit ? limit_of_runners(all, *limit) : limit_of_queues(all);
}

}  // namespace sluice::metrics
