// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/pipeline_state.hpp"

#include "io/result_file.hpp"
#include "pipeline/description/check_description.hpp"
#include "pipeline/run/worker_context.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sluice::pipeline {

namespace asio = boost::asio;
using metrics::run_state;

namespace {

// What a stage throws is a failure, unless a stop has ended it. A queue of its own that has ended,
// which the coordinator takes for no failure, would leave a part of a result.
std::exception_ptr as_failure(const std::exception_ptr& thrown)
{
    return is_clean_stop(thrown)
               ? std::make_exception_ptr(std::runtime_error(text::message_of(thrown)))
               : thrown;
}

asio::awaitable<void> work_to_the_end(
    running_runner& runner,
    worker_context& context,
    const coordinator& sources
)
{
    try {
        try {
            co_await runner.work->work(context);
        } catch (...) {
            // A drain ends the waits of sources, and so the sources.
            if (runner.from != nullptr || !sources.should_stop() ||
                !is_clean_stop(std::current_exception()))
                throw;
        }
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

running_pipeline::state::state(
    const asio::any_io_executor& executor,
    checked_description checked,
    output& printed,
    overdue_function on_overdue,
    const remote_queue_factory& make_remote
)
    : name(checked.description_.name),
      tasks(
          executor,
          {.stop_grace_period = checked.description_.stop_grace_period,
           .overdue_after = checked.description_.stop_grace_period / 4,
           .on_overdue = std::move(on_overdue)}
      ),
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

asio::awaitable<void> running_pipeline::state::run()
{
    const clock::time_point start_time = clock::now();
    started = start_time;
    for (running_runner& runner : runners)
        for (worker_state& worker : runner.workers)
            worker.clock.start(start_time);
    progress = run_state::running;
    start();
    struct run_end  // also if this throws
    {
        state& run;

        ~run_end()
        {
            run.ended = clock::now();
            run.progress = run_state::done;
        }
    } const end{*this};
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

void running_pipeline::state::stop_taking()
{
    if (!sources.should_stop())
        return;
    // acq_rel on both sides, and so no plain load: either the last feeder sees the drain, or
    // the drain sees that there is no feeder.
    for (running_queue& each : queues)
        if (each.taking && each.feeders.fetch_add(0, std::memory_order_acq_rel) == 0)
            each.taking->request_stop();
}

running_runner& running_pipeline::state::find_runner(std::string_view wanted)
{
    for (running_runner& runner : runners)
        if (runner.description.name == wanted)
            return runner;
    throw system_error(
        errc::invalid_argument,
        fmt::format("the pipeline has no runner '{}'", wanted)
    );
}

void running_pipeline::state::open_gates()
{
    for (running_runner& runner : runners)
        runner.gate.open_for_good();
}

void running_pipeline::state::add(
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

void running_pipeline::state::add(
    const runner_description& runner,
    std::unique_ptr<stage> work
)
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

running_queue* running_pipeline::state::find_queue(const std::string& wanted)
{
    const auto found = std::ranges::find_if(queues, [&wanted](const auto& each) {
        return each.description.name == wanted;
    });
    return found == queues.end() ? nullptr : &*found;
}

void running_pipeline::state::start() noexcept
{
    for (running_queue& queue : queues)
        if (queue.remote != nullptr)
            queue.remote->end_with(*queue.taking, tasks);
    try {
        // Consumers first: what is put is put for a consumer.
        for (const bool is_source : {false, true})
            for (running_runner& runner : runners)
                if (runner.description.from.empty() == is_source)
                    for (std::size_t i = 0; i < runner.workers.size(); ++i)
                        tasks.spawn(
                            runner.worker_name(i),
                            [self = shared_from_this(), &runner, i] {
                                return self->work(runner, i);
                            }
                        );
    } catch (...) {
        // That a stop was requested is no error here: the first workers may have failed
        // already, and join() tells why.
        tasks.request_stop(std::current_exception());
    }
}

asio::awaitable<void> running_pipeline::state::work(
    running_runner& runner,
    std::size_t worker
)
{
    try {
        const asio::any_io_executor executor = co_await asio::this_coro::executor;
        sluice::detail::readiness task(executor);
        worker_context context(runner, worker, std::move(task), sources, out);
        co_await work_to_the_end(runner, context, sources);
        // After a stop the end of the input is not the end of the work.
        const bool is_last = runner.is_last_to_finish();
        if (is_last && !runner.is_sink() && !tasks.should_stop())
            co_await runner.work->finish(context);
        if (is_last)
            co_await end_feeding(runner);
    } catch (...) {
        const bool was_stopped = tasks.should_stop();
        const auto thrown = was_stopped ? std::current_exception()
                                        : as_failure(std::current_exception());
        const bool is_own = failures.add(thrown, runner.description.name);
        // After a drain it is a failure, because what was read cannot be delivered.
        if (!is_own || !was_stopped || !is_lack_of_reader(thrown))
            std::rethrow_exception(thrown);
        failures.set_ended_wait(thrown);
    }
    // acq_rel: the last one sees what all the others have done
    if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
        co_await finish_sinks();
}

asio::awaitable<void> running_pipeline::state::end_feeding(running_runner& runner)
{
    runner.feeding.clear();
    for (running_queue* const each : runner.feeding_remotely) {
        if (!sources.should_stop() && !tasks.should_stop())
            co_await each->remote->note_end_of(runner.description.name);
        each->feeders.fetch_sub(1, std::memory_order_acq_rel);  // see stop_taking()
    }
    stop_taking();
}

asio::awaitable<void> running_pipeline::state::finish_sinks()
{
    running_runner* current = nullptr;
    try {
        for (running_runner& runner : runners) {
            if (!runner.is_sink() || tasks.should_stop())
                continue;
            current = &runner;
            // by a worker of another runner, whose task it is not
            worker_context context(runner, 0, {}, sources, out);
            co_await context.end();  // it reads nothing
            co_await runner.work->finish(context);
        }
        if (current == nullptr || tasks.should_stop())
            co_return;
        // In one go, so that no stop comes in between.
        worker_context context(*current, 0, {}, sources, out);
        co_await context.blocking([&] {
            for (running_runner& runner : runners)
                if (runner.is_sink()) {
                    current = &runner;
                    runner.work->publish();
                }
        });
    } catch (...) {
        const auto thrown = as_failure(std::current_exception());
        failures.add(thrown, current->description.name);
        std::rethrow_exception(thrown);
    }
}

asio::awaitable<void> running_pipeline::state::flush()
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

}  // namespace sluice::pipeline
