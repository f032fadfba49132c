// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/running_pipeline.hpp>

#include "pipeline/run/leased_context.hpp"
#include "pipeline/run/ordered_context.hpp"
#include "pipeline/run/remote_element_queue.hpp"
#include "pipeline/run/runner_failures.hpp"
#include "pipeline/run/running_parts.hpp"
#include "pipeline/run/worker_context.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/monitor/monitor.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
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
          out_(out),
          coordinator_(
              executor,
              options_for(checked.description_, std::move(on_overdue))
          ),
          sources_(coordinator_),
          watch_(executor, {.name = name_})
    {
        watch_.add(coordinator_, name_);
        for (const queue_description& each : checked.description_.queues)
            if (checked.runs_queue(each.name))
                add_queue(executor, each, make_remote, checked.description_);
        for (std::size_t i = 0; i < checked.stages_.size(); ++i)
            if (checked.runs(checked.description_.runners[i].name))
                add_runner(
                    executor,
                    checked.description_.runners[i],
                    std::move(checked.stages_[i])
                );
    }

    asio::awaitable<void> run()
    {
        const clock::time_point start_time = clock::now();
        started_ = start_time;
        for (running_runner& runner : runners_)
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
            co_await flush();
            if (failure)
                std::rethrow_exception(failure);
            co_return;
        }
        // The workers use what the caller is about to destroy, so wait for them all the same.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        coordinator_.request_stop();
        co_await coordinator_.join();
        co_await flush();
        throw system_error(asio::error::operation_aborted);
    }

    void abandon() noexcept
    {
        for (running_runner& runner : runners_)
            runner.work->abandon();
    }

    // What runs on threads of its own must end before the context does.
    void join_blocking_threads()
    {
        for (running_runner& runner : runners_)
            for (worker_state& worker : runner.workers)
                worker.thread.join();
    }

    void record(report::trace& into)
    {
        for (running_runner& runner : runners_)
            for (std::size_t i = 0; i < runner.workers.size(); ++i)
                runner.workers[i].clock.record(
                    into,
                    into.add_track(worker_name(runner, i))
                );
    }

    void record_unfinished() const
    {
        const clock::time_point now = clock::now();
        for (const running_runner& runner : runners_)
            for (const worker_state& worker : runner.workers)
                worker.clock.record_unfinished(now);
    }

    void pause(std::string_view runner) { find_runner(runner).gate.pause(); }

    void resume(std::string_view runner) { find_runner(runner).gate.resume(); }

    // What is to be worked off must not wait for one that is paused.
    void request_drain()
    {
        sources_.request_stop();
        stop_taking();
        open_gates();
    }

    void request_stop()
    {
        coordinator_.request_stop();
        open_gates();
    }

    [[nodiscard]] std::string runner_of(const std::exception_ptr& exception) const
    {
        return failures_.runner_of(exception);
    }

    // What a monitor sees, and what it does not know: the time of the workers is exact here.
    [[nodiscard]] metrics::snapshot snapshot() const
    {
        metrics::snapshot result = watch_.snapshot();
        // Those of a server are not among what the monitor sees.
        for (std::size_t i = 0; i < queues_.size(); ++i)
            if (queues_[i].remote != nullptr)
                result.queues.insert(
                    result.queues.begin() + static_cast<std::ptrdiff_t>(i),
                    queues_[i].remote->snapshot()
                );
        result.state = current_state();
        const clock::time_point now = end_of_look(result.state);
        result.elapsed = now - started_.load();
        for (std::size_t i = 0; i < queues_.size(); ++i)
            queues_[i].complete(result.queues[i]);
        for (const running_runner& each : runners_)
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

    void add_queue(
        const asio::any_io_executor& executor,
        const queue_description& description,
        const remote_queue_factory& make_remote,
        const pipeline_description& whole
    )
    {
        running_queue& added = queues_.emplace_back();
        added.description = description;
        if (description.type != queue_type::redis) {
            added.queue = element_queue::make(executor, description);
            added.queue->add_to(watch_);
            return;
        }
        if (!make_remote)
            throw system_error(
                errc::invalid_argument,
                fmt::format(
                    "the queue '{}' is of type redis; give the pipeline a "
                    "remote_queue_factory",
                    description.name
                )
            );
        added.taking.emplace(coordinator_);
        added.remote = make_remote(executor, request_for(description, whole));
        added.queue = std::make_unique<remote_element_queue>(*added.remote);
    }

    static remote_queue_request request_for(
        const queue_description& queue,
        const pipeline_description& whole
    )
    {
        remote_queue_request request{.queue = queue, .feeders = {}};
        if (request.queue.key.empty())
            request.queue.key = fmt::format("{}.{}", whole.name, queue.name);
        for (const runner_description& each : whole.runners)
            if (std::ranges::count(each.to, queue.name) > 0 ||
                each.on_error.to == queue.name)
                request.feeders.push_back({.runner = each.name, .copies = each.copies});
        return request;
    }

    void add_runner(
        const asio::any_io_executor& executor,
        const runner_description& description,
        std::unique_ptr<stage> work
    )
    {
        running_runner& added =
            runners_.emplace_back(executor, description, std::move(work));
        if (running_queue* const from = find_queue(description.from)) {
            added.from = from->for_consumers();
            if (description.acknowledge == acknowledgement::written)
                added.leased_from = from->remote.get();
        }
        for (const std::string& name : description.to) {
            running_queue* const to = find_queue(name);
            if (to->remote != nullptr)
                feed_remotely(added, *to);
            else if (!added.to.empty())  // see make_producers()
                added.feeding.push_back(to->queue->feed());
            added.to.add(to->for_producers());
        }
        if (running_queue* const errors = find_queue(description.on_error.to)) {
            if (errors->remote != nullptr)
                feed_remotely(added, *errors);
            added.errors_to.add(errors->for_producers());
            added.feeding.push_back(errors->queue->feed());
        }
        unfinished_ += description.workers;
    }

    static void feed_remotely(running_runner& runner, running_queue& queue)
    {
        runner.feeding_remotely.push_back(&queue);
        ++queue.feeders;
    }

    running_runner& find_runner(std::string_view name)
    {
        for (running_runner& runner : runners_)
            if (runner.description.name == name)
                return runner;
        throw system_error(
            errc::invalid_argument,
            fmt::format("the pipeline has no runner '{}'", name)
        );
    }

    void open_gates()
    {
        for (running_runner& runner : runners_)
            runner.gate.open_for_good();
    }

    // Null for no name.
    running_queue* find_queue(const std::string& name)
    {
        const auto found = std::ranges::find_if(queues_, [&name](const auto& each) {
            return each.description.name == name;
        });
        return found == queues_.end() ? nullptr : &*found;
    }

    void start() noexcept
    {
        // One that is not started closes its queue when it is destroyed. That must not come before
        // the stop, or consumers would take it for the end of the input.
        std::vector<std::unique_ptr<queue_runner>> producers;
        for (running_queue& queue : queues_)
            if (queue.remote != nullptr)
                queue.remote->end_with(*queue.taking, coordinator_);
        try {
            start_with(producers);
        } catch (...) {
            // That a stop was requested is no error here: the first workers may have failed
            // already, and join() tells why.
            coordinator_.request_stop(std::current_exception());
        }
    }

    // Consumers first: whatever is put is put for somebody. All who fill a queue are counted
    // before the first of them can end, which would otherwise close it.
    void start_with(std::vector<std::unique_ptr<queue_runner>>& producers)
    {
        for (running_queue& queue : queues_)
            if (auto made = make_producers(queue))
                producers.push_back(std::move(made));
        for (running_runner& runner : runners_)
            if (runner.is_sink() || find_queue(runner.description.to.front())->remote)
                start_workers(runner);
        for (const auto& each : producers)
            each->start(coordinator_);
    }

    // Of a runner that closes no queue.
    void start_workers(running_runner& runner)
    {
        for (std::size_t i = 0; i < runner.workers.size(); ++i)
            coordinator_.spawn(
                worker_name(runner, i),
                [self = shared_from_this(), &runner, i] { return self->work(runner, i); }
            );
    }

    // All workers that fill a queue first of all are one queue_runner. It closes the queue after
    // the last of them, and of those who feed it besides. Null if there are only those.
    std::unique_ptr<queue_runner> make_producers(running_queue& queue)
    {
        if (queue.remote != nullptr)
            return nullptr;
        std::vector<queue_runner::operation> workers;
        queue_runner_options options{.name = queue.description.name};
        for (running_runner& runner : runners_) {
            if (runner.is_sink() ||
                runner.description.to.front() != queue.description.name)
                continue;
            for (std::size_t i = 0; i < runner.workers.size(); ++i) {
                workers.emplace_back([self = shared_from_this(), &runner, i] {
                    return self->work_to_the_end(runner, i);
                });
                options.worker_names.push_back(worker_name(runner, i));
            }
        }
        if (!workers.empty())
            return queue.queue->make_runner(std::move(workers), std::move(options));
        queue.queue->close_on_stop(coordinator_);
        return nullptr;
    }

    // A queue_runner repeats its operation; this one has done all when it ends.
    asio::awaitable<bool> work_to_the_end(running_runner& runner, std::size_t worker)
    {
        co_await work(runner, worker);
        co_return false;
    }

    asio::awaitable<void> work(running_runner& runner, std::size_t worker)
    {
        try {
            const auto context = make_context(runner, worker);
            co_await work_in_order(runner, *context, worker);
            co_await context->end();
            // After a stop the end of the input is not the end of the work.
            const bool is_last = runner.is_last_to_finish();
            if (is_last && !runner.is_sink() && !coordinator_.should_stop())
                co_await runner.work->finish(*context);
            if (is_last)
                co_await end_feeding(runner);
        } catch (...) {
            failures_.add(std::current_exception(), runner.description.name);
            throw;
        }
        // acq_rel: the last one sees what all the others have done
        if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            co_await finish_sinks();
    }

    std::unique_ptr<worker_context> make_context(
        running_runner& runner,
        std::size_t worker
    )
    {
        const auto around = surroundings_of(runner, worker);
        if (runner.leased_from != nullptr)
            return std::make_unique<leased_context>(around, *runner.leased_from);
        return std::make_unique<worker_context>(around);
    }

    // A drain or a stop ends what this process does, and others may go on with the rest. Of a stop
    // the sources hear last: it has closed queues by then, which workers take for the end.
    asio::awaitable<void> end_feeding(running_runner& runner)
    {
        runner.feeding.clear();
        for (running_queue* const each : runner.feeding_remotely) {
            if (!sources_.should_stop() && !coordinator_.should_stop())
                co_await each->remote->note_end_of(runner.description.name);
            each->feeders.fetch_sub(1, std::memory_order_acq_rel);  // see stop_taking()
        }
        stop_taking();
    }

    // In a drain nothing more is taken from a queue on a server, which others may empty. But what
    // this process still puts into it may wait for room that only this process makes.
    void stop_taking()
    {
        if (!sources_.should_stop())
            return;
        // acq_rel on both sides, and so no plain load: either the last feeder sees the drain, or
        // the drain sees that there is no feeder.
        for (running_queue& each : queues_)
            if (each.taking && each.feeders.fetch_add(0, std::memory_order_acq_rel) == 0)
                each.taking->request_stop();
    }

    // So that what workers return, because they were stopped, is with others soon.
    asio::awaitable<void> flush()
    {
        for (const running_queue& each : queues_)
            if (each.remote != nullptr)
                co_await each.remote->flush();
    }

    // When the last worker has come to its end, all they have given is written.
    static asio::awaitable<void> work_in_order(
        running_runner& runner,
        worker_context& context,
        std::size_t worker
    )
    {
        if (runner.order == nullptr) {
            co_await runner.work->work(context);
            co_return;
        }
        worker_clock& clock = runner.workers[worker].clock;
        ordered_context ordered(context, *runner.order, clock);
        co_await runner.work->work(ordered);
        co_await ordered.end();
    }

    // Results are complete only when nothing can fail any more.
    asio::awaitable<void> finish_sinks()
    {
        for (running_runner& runner : runners_) {
            if (!runner.is_sink() || coordinator_.should_stop())
                continue;
            try {
                worker_context context(surroundings_of(runner, 0));
                co_await runner.work->finish(context);
            } catch (...) {
                failures_.add(std::current_exception(), runner.description.name);
                throw;
            }
        }
    }

    [[nodiscard]] worker_context::surroundings surroundings_of(
        running_runner& runner,
        std::size_t worker
    )
    {
        return {
            .runner = runner.description.name,
            .worker = worker,
            .from = runner.from,
            .to = runner.to,
            .on_error = runner.description.on_error.action,
            .errors_to = runner.errors_to,
            .errors = runner.errors,
            .gate = runner.gate,
            .state = runner.workers[worker],
            .sources = sources_,
            .out = out_
        };
    }

    static std::string worker_name(const running_runner& runner, std::size_t worker)
    {
        return fmt::format("{}/{}", runner.description.name, worker);
    }

    [[nodiscard]] run_state current_state() const
    {
        const run_state progress = progress_;
        if (progress != run_state::running)
            return progress;
        if (coordinator_.should_stop())
            return run_state::stopping;
        return sources_.should_stop() ? run_state::draining : run_state::running;
    }

    // Up to when the time of a pipeline in this state counts.
    [[nodiscard]] clock::time_point end_of_look(run_state at) const
    {
        if (at == run_state::ready)
            return started_;
        return at == run_state::done ? ended_.load() : clock::now();
    }

    const std::string name_;
    output& out_;
    coordinator coordinator_;
    coordinator sources_;               // stopped alone: the sources end, the rest drains
    monitor watch_;                     // of the queues and the tasks
    std::deque<running_queue> queues_;  // neither queues nor runners move
    std::deque<running_runner> runners_;
    runner_failures failures_;
    // Workers of all runners that have not come to their end; see is_last_to_finish().
    std::atomic<std::size_t> unfinished_ = 0;
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
    return state_->runner_of(exception);
}

metrics::snapshot running_pipeline::snapshot() const
{
    return state_->snapshot();
}

}  // namespace sluice::pipeline
