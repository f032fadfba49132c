// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/running_parts.hpp"

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

}  // namespace sluice::pipeline
