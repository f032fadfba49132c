// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/running_pipeline.hpp>

#include "pipeline/run/pipeline_state.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

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

}  // namespace sluice::pipeline
