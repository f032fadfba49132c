// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/running_pipeline.hpp>

#include "pipeline/run/pipeline_state.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"

#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;
using metrics::run_state;

namespace {

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

running_pipeline::running_pipeline(
    asio::any_io_executor executor,
    checked_description checked,
    output& out,
    overdue_function on_overdue,
    const remote_queue_factory& make_remote
)
    : state_(std::make_shared<state>(
          executor,
          std::move(checked),
          out,
          std::move(on_overdue),
          make_remote
      ))
{
}

running_pipeline::running_pipeline(
    asio::any_io_executor executor,
    pipeline_description description,
    const stage_registry& stages,
    output& out,
    overdue_function on_overdue,
    const remote_queue_factory& make_remote
)
    : running_pipeline(
          std::move(executor),
          checked_description(std::move(description), stages),
          out,
          std::move(on_overdue),
          make_remote
      )
{
}

running_pipeline::~running_pipeline()
{
    request_stop();
    // What runs on threads of its own must end before the context does.
    for (running_runner& runner : state_->runners)
        for (worker_state& worker : runner.workers)
            worker.thread.join();
}

asio::awaitable<void> running_pipeline::run()
{
    return state_->run();
}

void running_pipeline::record(report::trace& into)
{
    for (running_runner& runner : state_->runners)
        for (std::size_t i = 0; i < runner.workers.size(); ++i)
            runner.workers[i].clock.record(into, into.add_track(runner.worker_name(i)));
}

void running_pipeline::record_unfinished() const
{
    const auto now = state::clock::now();
    for (const running_runner& runner : state_->runners)
        for (const worker_state& worker : runner.workers)
            worker.clock.record_unfinished(now);
}

void running_pipeline::pause(std::string_view runner)
{
    state_->find_runner(runner).gate.pause();
}

void running_pipeline::resume(std::string_view runner)
{
    state_->find_runner(runner).gate.resume();
}

// What is to be processed must not wait for one that is paused.
void running_pipeline::request_drain()
{
    state_->sources.request_stop();
    state_->stop_taking();
    state_->open_gates();
}

void running_pipeline::request_stop()
{
    state_->tasks.request_stop();
    state_->open_gates();
}

void running_pipeline::abandon() noexcept
{
    for (running_runner& runner : state_->runners)
        runner.work->abandon();
}

std::string running_pipeline::runner_of(const std::exception_ptr& exception) const
{
    return state_->failures.runner_of(exception);
}

std::exception_ptr running_pipeline::ended_wait() const
{
    return state_->failures.ended_wait();
}

metrics::snapshot running_pipeline::snapshot() const
{
    return state_->snapshot();
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

metrics::snapshot running_pipeline::state::snapshot() const
{
    metrics::snapshot result = watch.snapshot();
    // Those of a server are not among what the monitor sees.
    for (std::size_t i = 0; i < queues.size(); ++i)
        if (queues[i].remote != nullptr)
            result.queues.insert(
                result.queues.begin() + static_cast<std::ptrdiff_t>(i),
                queues[i].remote->snapshot()
            );
    result.first_error = first_error();
    result.state = current_state(!result.first_error.empty());
    clock::time_point now = clock::now();
    if (result.state == run_state::ready || is_over(result.state))
        now = result.state == run_state::ready ? started : ended;
    result.elapsed = now - started.load();
    for (std::size_t i = 0; i < queues.size(); ++i) {
        result.queues[i].waits_to_enqueue = queues[i].queue->waits_to_put;
        result.queues[i].waits_to_dequeue = queues[i].queue->waits_to_take;
    }
    for (const running_runner& each : runners)
        result.runners.push_back(each.snapshot(now));
    return result;
}

std::string running_pipeline::state::first_error() const
{
    const std::vector<std::exception_ptr> errors = tasks.exceptions();
    if (errors.empty())
        return {};
    const std::string runner = failures.runner_of(errors.front());
    std::string message = text::message_of(errors.front());
    for (const running_runner& each : runners)
        if (each.description.name == runner)
            return detail::runner_title(runner, each.description.stage) + ": " + message;
    return message;
}

run_state running_pipeline::state::current_state(bool has_error) const
{
    const run_state now = progress;
    if (now == run_state::ready)
        return now;
    const bool has_ended = now == run_state::done;
    if (tasks.should_stop()) {
        if (!has_ended)
            return run_state::stopping;
        return has_error ? run_state::failed : run_state::stopped;
    }
    if (sources.should_stop())
        return has_ended ? run_state::drained : run_state::draining;
    return now;
}

}  // namespace sluice::pipeline
