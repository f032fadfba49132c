// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/running_pipeline.hpp>

#include "io/result_file.hpp"
#include "pipeline/description/check_graph.hpp"
#include "pipeline/run/running_parts.hpp"
#include "pipeline/run/worker_context.hpp"
#include "pipeline/runner_title.hpp"
#include "text/message_of.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/monitor/monitor.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
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

std::string worker_name(const running_runner& runner, std::size_t worker)
{
    return fmt::format("{}/{}", runner.description.name, worker);
}

// Which runner threw what. Any thread.
class runner_failures
{
public:
    // False: it is that of another runner. A queue that is closed because of an error passes it on.
    bool add(std::exception_ptr exception, const std::string& runner) noexcept
    {
        try {
            const std::lock_guard lock(mutex_);
            for (const auto& [added, first] : all_)
                if (added == exception)
                    return first == runner;
            all_.emplace_back(std::move(exception), runner);
        } catch (const std::bad_alloc&) {
            // perhaps what the exception is about; its message goes without the runner
        }
        return true;
    }

    // That one was no failure: a stop has ended a wait. The first one is kept.
    void set_ended_wait(std::exception_ptr exception) noexcept
    {
        const std::lock_guard lock(mutex_);
        if (!ended_wait_)
            ended_wait_ = std::move(exception);
    }

    [[nodiscard]] std::exception_ptr ended_wait() const
    {
        const std::lock_guard lock(mutex_);
        return ended_wait_;
    }

    // Empty for an exception that was not added.
    [[nodiscard]] std::string runner_of(const std::exception_ptr& exception) const
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [added, runner] : all_)
            if (added == exception)
                return runner;
        return {};
    }

private:
    mutable std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<std::pair<std::exception_ptr, std::string>> all_;
    std::exception_ptr ended_wait_;
};

asio::awaitable<void> work_to_the_end(running_runner& runner, worker_context& context)
{
    try {
        co_await runner.work->work(context);
        co_await context.end();
    } catch (...) {
        context.note_failure(std::current_exception());
        throw;
    }
}

bool is_lack_of_reader(const std::exception_ptr& exception) noexcept
{
    try {
        std::rethrow_exception(exception);
    } catch (const io::no_reader&) {
        return true;
    } catch (...) {
        return false;
    }
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

// Shared with the workers, so that it lives as long as they do.
struct running_pipeline::state : std::enable_shared_from_this<state>
{
    state(
        const asio::any_io_executor& executor,
        checked_description checked,
        output& printed,
        overdue_function on_overdue,
        const remote_queue_factory& make_remote
    )
        : name(checked.description_.name),
          tasks(executor, options_for(checked.description_, std::move(on_overdue))),
          sources(tasks),
          watch(executor, {.name = name}),
          out(printed)
    {
        const pipeline_description& whole = checked.description_;
        for (const queue_description& each : whole.queues)
            if (checked.runs_queue(each.name))
                add(each, whole, make_remote);
        for (std::size_t i = 0; i < whole.runners.size(); ++i)
            if (checked.runs(whole.runners[i].name))
                add(whole.runners[i], std::move(checked.stages_[i]));
        watch.add(tasks, name);
        for (const running_runner& runner : runners)
            unfinished += runner.workers.size();
    }

    asio::awaitable<void> run()
    {
        const clock::time_point start_time = clock::now();
        started = start_time;
        for (running_runner& runner : runners)
            for (worker_state& worker : runner.workers)
                worker.clock.start(start_time);
        progress = run_state::running;
        start();
        const run_end end(*this);
        std::exception_ptr failure;
        bool cancelled = false;
        try {
            co_await tasks.join();
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
        tasks.request_stop();
        co_await tasks.join();
        co_await flush();
        throw system_error(asio::error::operation_aborted);
    }

    // In a drain nothing more is taken from a queue on a server, which others may empty. But what
    // this process still puts into it may wait for room that only this process makes.
    void stop_taking()
    {
        if (!sources.should_stop())
            return;
        // acq_rel on both sides, and so no plain load: either the last feeder sees the drain, or
        // the drain sees that there is no feeder.
        for (running_queue& each : queues)
            if (each.taking && each.feeders.fetch_add(0, std::memory_order_acq_rel) == 0)
                each.taking->request_stop();
    }

    // Throws errc::invalid_argument for a name that none has.
    running_runner& find_runner(std::string_view wanted)
    {
        for (running_runner& runner : runners)
            if (runner.description.name == wanted)
                return runner;
        throw system_error(
            errc::invalid_argument,
            fmt::format("the pipeline has no runner '{}'", wanted)
        );
    }

    void open_gates()
    {
        for (running_runner& runner : runners)
            runner.gate.open_for_good();
    }

    // What a monitor sees, and what it does not know: the time of the workers is exact here.
    [[nodiscard]] metrics::snapshot snapshot() const
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
        const clock::time_point now = end_of_look(result.state);
        result.elapsed = now - started.load();
        for (std::size_t i = 0; i < queues.size(); ++i) {
            result.queues[i].waits_to_enqueue = queues[i].queue->waits_to_put;
            result.queues[i].waits_to_dequeue = queues[i].queue->waits_to_take;
        }
        for (const running_runner& each : runners)
            result.runners.push_back(each.snapshot(now));
        return result;
    }

    // The end of run(), also if that throws.
    class run_end
    {
    public:
        explicit run_end(state& run) : run_(run) {}
        run_end(const run_end&) = delete;
        run_end& operator=(const run_end&) = delete;

        ~run_end()
        {
            run_.ended = clock::now();
            run_.progress = run_state::done;
        }

    private:
        state& run_;
    };

    // The monitor sees the queue, unless that is on a server. When the tasks stop it is closed, or
    // nothing more is taken from one on a server.
    void add(
        const queue_description& queue,
        const pipeline_description& whole,
        const remote_queue_factory& make_remote
    )
    {
        running_queue& added = queues.emplace_back();
        added.description = queue;
        if (queue.type != queue_type::redis) {
            added.queue = element_queue::make(tasks.get_executor(), queue);
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
        added.remote = make_remote(tasks.get_executor(), request_for(queue, whole));
        added.queue = element_queue::make(*added.remote);
    }

    // After its queues. From now on those that it fills wait for its end before they close.
    void add(const runner_description& runner, std::unique_ptr<stage> work)
    {
        running_runner& added =
            runners.emplace_back(tasks.get_executor(), runner, std::move(work));
        if (running_queue* const from = find_queue(runner.from)) {
            added.from = from->queue.get();
            if (runner.acknowledge == acknowledgement::written)
                added.leased_from = from->remote.get();
        }
        for (const std::string& each : runner.to) {
            running_queue* const to = find_queue(each);
            feed(added, *to);
            added.to.add(*to->queue);
        }
        if (running_queue* const errors = find_queue(runner.on_error.to)) {
            feed(added, *errors);
            added.errors_to.add(*errors->queue);
        }
    }

    // Null for no name.
    running_queue* find_queue(const std::string& wanted)
    {
        const auto found = std::ranges::find_if(queues, [&wanted](const auto& each) {
            return each.description.name == wanted;
        });
        return found == queues.end() ? nullptr : &*found;
    }

    void start() noexcept
    {
        for (running_queue& queue : queues)
            if (queue.remote != nullptr)
                queue.remote->end_with(*queue.taking, tasks);
        try {
            // Consumers first: what is put is put for a consumer.
            for (running_runner& runner : runners)
                if (!runner.description.from.empty())
                    start_workers(runner);
            for (running_runner& runner : runners)
                if (runner.description.from.empty())
                    start_workers(runner);
        } catch (...) {
            // That a stop was requested is no error here: the first workers may have failed
            // already, and join() tells why.
            tasks.request_stop(std::current_exception());
        }
    }

    void start_workers(running_runner& runner)
    {
        for (std::size_t i = 0; i < runner.workers.size(); ++i)
            tasks.spawn(worker_name(runner, i), [self = shared_from_this(), &runner, i] {
                return self->work(runner, i);
            });
    }

    // The whole life of a worker.
    asio::awaitable<void> work(running_runner& runner, std::size_t worker)
    {
        try {
            const asio::any_io_executor executor = co_await asio::this_coro::executor;
            sluice::detail::readiness task(executor);
            worker_context context(runner, worker, std::move(task), sources, out);
            co_await work_to_the_end(runner, context);
            // After a stop the end of the input is not the end of the work.
            const bool is_last = runner.is_last_to_finish();
            if (is_last && !runner.is_sink() && !tasks.should_stop())
                co_await runner.work->finish(context);
            if (is_last)
                co_await end_feeding(runner);
        } catch (...) {
            const auto thrown = std::current_exception();
            const bool is_own = failures.add(thrown, runner.description.name);
            // A stage's own queue has ended, perhaps. The coordinator takes that for no failure,
            // and the queues behind this worker would never end.
            if (!tasks.should_stop() && is_clean_stop(thrown))
                tasks.request_stop();
            // After a drain it is a failure, because what was read cannot be delivered.
            if (!is_own || !tasks.should_stop() || !is_lack_of_reader(thrown))
                throw;
            failures.set_ended_wait(thrown);
        }
        // acq_rel: the last one sees what all the others have done
        if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
            co_await finish_sinks();
    }

    // A drain or a stop ends what this process does, and others may go on with the rest. Of a stop
    // the sources hear last: it has closed queues by then, which workers take for the end.
    asio::awaitable<void> end_feeding(running_runner& runner)
    {
        runner.feeding.clear();
        for (running_queue* const each : runner.feeding_remotely) {
            if (!sources.should_stop() && !tasks.should_stop())
                co_await each->remote->note_end_of(runner.description.name);
            each->feeders.fetch_sub(1, std::memory_order_acq_rel);  // see stop_taking()
        }
        stop_taking();
    }

    // Results are complete only when nothing can fail any more.
    asio::awaitable<void> finish_sinks()
    {
        for (running_runner& runner : runners) {
            if (!runner.is_sink() || tasks.should_stop())
                continue;
            try {
                // by a worker of another runner, whose task it is not
                worker_context context(runner, 0, {}, sources, out);
                co_await context.end();  // it reads nothing
                co_await runner.work->finish(context);
            } catch (...) {
                failures.add(std::current_exception(), runner.description.name);
                throw;
            }
        }
    }

    // So that what workers return, because they were stopped, is with others soon. All at the same
    // time, because each waits for a server that is perhaps gone, and not for ever: a
    // cancellation would only leave some of them behind.
    asio::awaitable<void> flush()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        coordinator flushes(co_await asio::this_coro::executor);
        std::exception_ptr no_memory;
        try {
            for (const running_queue& each : queues)
                if (each.remote != nullptr)
                    flushes.spawn("flush", each.remote->flush());
        } catch (...) {
            no_memory = std::current_exception();
        }
        co_await flushes.join();  // they use the queues
        if (no_memory)
            std::rethrow_exception(no_memory);
    }

    // "clean (filter): it is wrong", or without a place if it was no runner that threw it.
    [[nodiscard]] std::string first_error() const
    {
        const std::vector<std::exception_ptr> errors = tasks.exceptions();
        if (errors.empty())
            return {};
        const std::string runner = failures.runner_of(errors.front());
        std::string message = text::message_of(errors.front());
        for (const running_runner& each : runners)
            if (each.description.name == runner)
                return runner_title(runner, each.description.stage) + ": " + message;
        return message;
    }

    [[nodiscard]] run_state current_state(bool has_error) const
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

    // Up to when the time of a pipeline in this state counts.
    [[nodiscard]] clock::time_point end_of_look(run_state at) const
    {
        if (at == run_state::ready)
            return started;
        return is_over(at) ? ended.load() : clock::now();
    }

    const std::string name;
    coordinator tasks;
    coordinator sources;               // stopped alone: the sources end, the rest drains
    monitor watch;                     // of the queues and the tasks
    std::deque<running_queue> queues;  // neither queues nor runners move
    std::deque<running_runner> runners;
    output& out;
    runner_failures failures;
    // Workers of all runners that have not come to their end; see is_last_to_finish().
    std::atomic<std::size_t> unfinished = 0;
    std::atomic<run_state> progress = run_state::ready;  // ready, running or done
    std::atomic<clock::time_point> started{};
    std::atomic<clock::time_point> ended{};
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
            runner.workers[i].clock.record(into, into.add_track(worker_name(runner, i)));
}

void running_pipeline::record_unfinished() const
{
    const clock::time_point now = clock::now();
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
