// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/pipeline_parts.hpp"

#include "pipeline/description/check_graph.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_kept_for_each_worker = 1024 * 1024;  // in bytes

void add(
    metrics::runner_snapshot& sum,
    const worker_state& worker,
    worker_clock::clock::time_point now
)
{
    const worker_clock::times times = worker.clock.read(now);
    sum.running += times.current == activity::idle && !times.is_paused ? 0U : 1U;
    sum.waiting_to_enqueue += times.current == activity::waiting_to_enqueue ? 1U : 0U;
    sum.waiting_to_dequeue += times.current == activity::waiting_to_dequeue ? 1U : 0U;
    sum.waiting_for_thread += times.current == activity::ready ? 1U : 0U;
    sum.items_in += worker.items_in;
    sum.items_out += worker.items_out;
    sum.idle += times.of(activity::idle);
    sum.busy += times.of(activity::busy);
    sum.ready += times.of(activity::ready);
    sum.blocked_on_enqueue += times.of(activity::waiting_to_enqueue);
    sum.blocked_on_dequeue += times.of(activity::waiting_to_dequeue);
}

remote_queue_request request_for(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    remote_queue_request request{.queue = queue, .feeders = {}};
    request.queue.key = detail::key_on_server(queue, whole);
    for (const runner_description& each : whole.runners)
        if (std::ranges::count(each.to, queue.name) > 0 || each.on_error.to == queue.name)
            request.feeders.push_back({.runner = each.name, .copies = each.copies});
    return request;
}

// The queue stays open until the runner has come to its end.
void feed(running_runner& runner, running_queue& queue)
{
    if (queue.remote == nullptr) {
        runner.feeding.push_back(queue.queue->feed());
        return;
    }
    runner.feeding_remotely.push_back(&queue);
    ++queue.feeders;
}

}  // namespace

void error_log::add(std::string reason)
{
    constexpr std::size_t most_kept = 3;
    const std::lock_guard lock(mutex_);
    ++count_;
    if (first_.size() < most_kept)
        first_.push_back(std::move(reason));
}

void error_log::complete(metrics::runner_snapshot& seen) const
{
    const std::lock_guard lock(mutex_);
    seen.skipped = count_;
    seen.first_errors = first_;
}

running_runner::running_runner(
    const boost::asio::any_io_executor& executor,
    runner_description described,
    std::unique_ptr<stage> made
)
    : description(std::move(described)),
      work(std::move(made)),
      to(executor),
      errors_to(executor),
      gate(executor, description.name),
      workers(description.workers),
      unfinished(description.workers)
{
    if (description.ordered && description.workers > 1)
        order = std::make_unique<result_order>(
            executor,
            description.workers * most_kept_for_each_worker
        );
}

metrics::runner_snapshot running_runner::snapshot(worker_clock::clock::time_point now
) const
{
    metrics::runner_snapshot result{
        .name = description.name,
        .stage = description.stage,
        .from = description.from,
        .to = description.to,
        .errors_to = description.on_error.to,
        .workers = workers.size(),
        .paused = gate.is_paused()
    };
    result.progress = work->progress();
    result.parts = work->parts();
    result.own_limit = work->own_limit();
    result.partial_result = work->partial_result();
    errors.complete(result);
    for (const worker_state& each : workers)
        add(result, each, now);
    return result;
}

pipeline_parts::pipeline_parts(boost::asio::any_io_executor executor)
    : executor_(std::move(executor))
{
}

void pipeline_parts::add(
    const queue_description& queue,
    const pipeline_description& whole,
    const remote_queue_factory& make_remote,
    coordinator& tasks,
    monitor& watch
)
{
    running_queue& added = queues_.emplace_back();
    added.description = queue;
    if (queue.type != queue_type::redis) {
        added.queue = element_queue::make(executor_, queue);
        added.queue->add_to(watch, tasks);
        return;
    }
    if (!make_remote)
        throw system_error(
            errc::invalid_argument,
            fmt::format(
                "the queue '{}' is of type redis; give the pipeline a "
                "remote_queue_factory",
                queue.name
            )
        );
    added.taking.emplace(tasks);
    added.remote = make_remote(executor_, request_for(queue, whole));
    added.queue = element_queue::make(*added.remote);
}

void pipeline_parts::add(const runner_description& runner, std::unique_ptr<stage> work)
{
    running_runner& added = runners_.emplace_back(executor_, runner, std::move(work));
    if (running_queue* const from = find_queue(runner.from)) {
        added.from = from->queue.get();
        if (runner.acknowledge == acknowledgement::written)
            added.leased_from = from->remote.get();
    }
    for (const std::string& name : runner.to) {
        running_queue* const to = find_queue(name);
        feed(added, *to);
        added.to.add(*to->queue);
    }
    if (running_queue* const errors = find_queue(runner.on_error.to)) {
        feed(added, *errors);
        added.errors_to.add(*errors->queue);
    }
}

running_runner& pipeline_parts::find_runner(std::string_view name)
{
    for (running_runner& runner : runners_)
        if (runner.description.name == name)
            return runner;
    throw system_error(
        errc::invalid_argument,
        fmt::format("the pipeline has no runner '{}'", name)
    );
}

running_queue* pipeline_parts::find_queue(const std::string& name)
{
    const auto found = std::ranges::find_if(queues_, [&name](const auto& each) {
        return each.description.name == name;
    });
    return found == queues_.end() ? nullptr : &*found;
}

}  // namespace sluice::pipeline
