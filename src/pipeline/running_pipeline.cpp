// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/running_pipeline.hpp>

#include "pipeline/run/pipeline_parts.hpp"
#include "pipeline/run/pipeline_work.hpp"
#include "pipeline/runner_title.hpp"
#include "text/message_of.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/monitor/monitor.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;
using metrics::run_state;

namespace {

using clock = std::chrono::steady_clock;

coordinator_options options_for(
    const pipeline_description& description,
    running_pipeline::overdue_function on_overdue
)
{
    return {
        .stop_grace_period = description.stop_grace_period,
        .overdue_after = description.stop_grace_period / 4,
        .on_overdue = std::move(on_overdue)
    };
}

}  // namespace

// Shared with the workers, so that it lives as long as they do.
class running_pipeline::state : public std::enable_shared_from_this<state>
{
public:
    state(
        const asio::any_io_executor& executor,
        checked_description checked,
        output& out,
        overdue_function on_overdue,
        const remote_queue_factory& make_remote
    )
        : name_(checked.description_.name),
          coordinator_(
              executor,
              options_for(checked.description_, std::move(on_overdue))
          ),
          sources_(coordinator_),
          watch_(executor, {.name = name_}),
          parts_(connect(executor, checked, make_remote)),
          work_(parts_, coordinator_, sources_, out)
    {
        watch_.add(coordinator_, name_);
    }

    asio::awaitable<void> run()
    {
        const clock::time_point start_time = clock::now();
        started_ = start_time;
        for (running_runner& runner : parts_.runners())
            for (worker_state& worker : runner.workers)
                worker.clock.start(start_time);
        progress_ = run_state::running;
        start();
        const run_end end(*this);
        std::exception_ptr failure;
        bool cancelled = false;
        try {
            co_await coordinator_.join();
        } catch (const system_error& error) {
            cancelled = error.code() == asio::error::operation_aborted;
            failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        if (!cancelled) {
            co_await work_.flush();
            if (failure)
                std::rethrow_exception(failure);
            co_return;
        }
        // The workers use what the caller is about to destroy, so wait for them all the same.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        coordinator_.request_stop();
        co_await coordinator_.join();
        co_await work_.flush();
        throw system_error(asio::error::operation_aborted);
    }

    void abandon() noexcept
    {
        for (running_runner& runner : parts_.runners())
            runner.work->abandon();
    }

    // What runs on threads of its own must end before the context does.
    void join_blocking_threads()
    {
        for (running_runner& runner : parts_.runners())
            for (worker_state& worker : runner.workers)
                worker.thread.join();
    }

    void record(report::trace& into)
    {
        for (running_runner& runner : parts_.runners())
            for (std::size_t i = 0; i < runner.workers.size(); ++i)
                runner.workers[i].clock.record(
                    into,
                    into.add_track(worker_name(runner, i))
                );
    }

    void record_unfinished() const
    {
        const clock::time_point now = clock::now();
        for (const running_runner& runner : parts_.runners())
            for (const worker_state& worker : runner.workers)
                worker.clock.record_unfinished(now);
    }

    void pause(std::string_view runner) { parts_.find_runner(runner).gate.pause(); }

    void resume(std::string_view runner) { parts_.find_runner(runner).gate.resume(); }

    // What is to be processed must not wait for one that is paused.
    void request_drain()
    {
        sources_.request_stop();
        work_.stop_taking();
        open_gates();
    }

    void request_stop()
    {
        coordinator_.request_stop();
        open_gates();
    }

    [[nodiscard]] const runner_failures& failures() const noexcept
    {
        return work_.failures();
    }

    // What a monitor sees, and what it does not know: the time of the workers is exact here.
    [[nodiscard]] metrics::snapshot snapshot() const
    {
        metrics::snapshot result = watch_.snapshot();
        // Those of a server are not among what the monitor sees.
        const auto& queues = parts_.queues();
        for (std::size_t i = 0; i < queues.size(); ++i)
            if (queues[i].remote != nullptr)
                result.queues.insert(
                    result.queues.begin() + static_cast<std::ptrdiff_t>(i),
                    queues[i].remote->snapshot()
                );
        result.first_error = first_error();
        result.state = current_state(!result.first_error.empty());
        const clock::time_point now = end_of_look(result.state);
        result.elapsed = now - started_.load();
        for (std::size_t i = 0; i < queues.size(); ++i)
            queues[i].complete(result.queues[i]);
        for (const running_runner& each : parts_.runners())
            result.runners.push_back(each.snapshot(now));
        return result;
    }

private:
    // The end of run(), also if that throws.
    class run_end
    {
    public:
        explicit run_end(state& run) : run_(run) {}
        run_end(const run_end&) = delete;
        run_end& operator=(const run_end&) = delete;

        ~run_end()
        {
            run_.ended_ = clock::now();
            run_.progress_ = run_state::done;
        }

    private:
        state& run_;
    };

    pipeline_parts connect(
        const asio::any_io_executor& executor,
        checked_description& checked,
        const remote_queue_factory& make_remote
    )
    {
        const pipeline_description& whole = checked.description_;
        pipeline_parts parts(executor);
        for (const queue_description& each : whole.queues)
            if (checked.runs_queue(each.name))
                parts.add(each, whole, make_remote, coordinator_, watch_);
        for (std::size_t i = 0; i < whole.runners.size(); ++i)
            if (checked.runs(whole.runners[i].name))
                parts.add(whole.runners[i], std::move(checked.stages_[i]));
        return parts;
    }

    void open_gates()
    {
        for (running_runner& runner : parts_.runners())
            runner.gate.open_for_good();
    }

    void start() noexcept
    {
        for (running_queue& queue : parts_.queues())
            if (queue.remote != nullptr)
                queue.remote->end_with(*queue.taking, coordinator_);
        try {
            // Consumers first: what is put is put for a consumer.
            for (running_runner& runner : parts_.runners())
                if (!runner.description.from.empty())
                    start_workers(runner);
            for (running_runner& runner : parts_.runners())
                if (runner.description.from.empty())
                    start_workers(runner);
        } catch (...) {
            // That a stop was requested is no error here: the first workers may have failed
            // already, and join() tells why.
            coordinator_.request_stop(std::current_exception());
        }
    }

    void start_workers(running_runner& runner)
    {
        for (std::size_t i = 0; i < runner.workers.size(); ++i)
            coordinator_.spawn(
                worker_name(runner, i),
                [self = shared_from_this(), &runner, i] {
                    return self->work_.work(runner, i);
                }
            );
    }

    static std::string worker_name(const running_runner& runner, std::size_t worker)
    {
        return fmt::format("{}/{}", runner.description.name, worker);
    }

    // "clean (filter): it is wrong", or without a place if it was no runner that threw it.
    [[nodiscard]] std::string first_error() const
    {
        const std::vector<std::exception_ptr> errors = coordinator_.exceptions();
        if (errors.empty())
            return {};
        const std::string name = failures().runner_of(errors.front());
        std::string message = text::message_of(errors.front());
        for (const running_runner& each : parts_.runners())
            if (each.description.name == name)
                return runner_title(name, each.description.stage) + ": " + message;
        return message;
    }

    [[nodiscard]] run_state current_state(bool has_error) const
    {
        const run_state progress = progress_;
        if (progress == run_state::ready)
            return progress;
        const bool has_ended = progress == run_state::done;
        if (coordinator_.should_stop()) {
            if (!has_ended)
                return run_state::stopping;
            return has_error ? run_state::failed : run_state::stopped;
        }
        if (sources_.should_stop())
            return has_ended ? run_state::drained : run_state::draining;
        return progress;
    }

    // Up to when the time of a pipeline in this state counts.
    [[nodiscard]] clock::time_point end_of_look(run_state at) const
    {
        if (at == run_state::ready)
            return started_;
        return is_over(at) ? ended_.load() : clock::now();
    }

    const std::string name_;
    coordinator coordinator_;
    coordinator sources_;  // stopped alone: the sources end, the rest drains
    monitor watch_;        // of the queues and the tasks
    pipeline_parts parts_;
    pipeline_work work_;
    std::atomic<run_state> progress_ = run_state::ready;  // ready, running or done
    std::atomic<clock::time_point> started_{};
    std::atomic<clock::time_point> ended_{};
};

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
    state_->request_stop();
    state_->join_blocking_threads();
}

asio::awaitable<void> running_pipeline::run()
{
    return state_->run();
}

void running_pipeline::record(report::trace& into)
{
    state_->record(into);
}

void running_pipeline::record_unfinished() const
{
    state_->record_unfinished();
}

void running_pipeline::pause(std::string_view runner)
{
    state_->pause(runner);
}

void running_pipeline::resume(std::string_view runner)
{
    state_->resume(runner);
}

void running_pipeline::request_drain()
{
    state_->request_drain();
}

void running_pipeline::request_stop()
{
    state_->request_stop();
}

void running_pipeline::abandon() noexcept
{
    state_->abandon();
}

std::string running_pipeline::runner_of(const std::exception_ptr& exception) const
{
    return state_->failures().runner_of(exception);
}

std::exception_ptr running_pipeline::ended_wait() const
{
    return state_->failures().ended_wait();
}

metrics::snapshot running_pipeline::snapshot() const
{
    return state_->snapshot();
}

}  // namespace sluice::pipeline
