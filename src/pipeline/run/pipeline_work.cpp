// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/pipeline_work.hpp"

#include "io/result_file.hpp"
#include "pipeline/run/worker_context.hpp"
#include <sluice/coordination/coordinator.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

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

}  // namespace

pipeline_work::pipeline_work(
    pipeline_parts& parts,
    coordinator& tasks,
    coordinator& sources,
    output& out
)
    : parts_(parts), tasks_(tasks), sources_(sources), out_(out)
{
    for (const running_runner& runner : parts_.runners())
        unfinished_ += runner.workers.size();
}

asio::awaitable<void> pipeline_work::work(running_runner& runner, std::size_t worker)
{
    try {
        const asio::any_io_executor executor = co_await asio::this_coro::executor;
        sluice::detail::readiness task(executor);
        worker_context context(runner, worker, std::move(task), sources_, out_);
        co_await work_to_the_end(runner, context);
        // After a stop the end of the input is not the end of the work.
        const bool is_last = runner.is_last_to_finish();
        if (is_last && !runner.is_sink() && !tasks_.should_stop())
            co_await runner.work->finish(context);
        if (is_last)
            co_await end_feeding(runner);
    } catch (...) {
        const auto thrown = std::current_exception();
        const bool is_own = failures_.add(thrown, runner.description.name);
        // A stage's own queue has ended, perhaps. The coordinator takes that for no failure, and
        // the queues behind this worker would never end.
        if (!tasks_.should_stop() && is_clean_stop(thrown))
            tasks_.request_stop();
        // After a drain it is a failure, because what was read cannot be delivered.
        if (!is_own || !tasks_.should_stop() || !is_lack_of_reader(thrown))
            throw;
        failures_.set_ended_wait(thrown);
    }
    // acq_rel: the last one sees what all the others have done
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        co_await finish_sinks();
}

// A drain or a stop ends what this process does, and others may go on with the rest. Of a stop
// the sources hear last: it has closed queues by then, which workers take for the end.
asio::awaitable<void> pipeline_work::end_feeding(running_runner& runner)
{
    runner.feeding.clear();
    for (running_queue* const each : runner.feeding_remotely) {
        if (!sources_.should_stop() && !tasks_.should_stop())
            co_await each->remote->note_end_of(runner.description.name);
        each->feeders.fetch_sub(1, std::memory_order_acq_rel);  // see stop_taking()
    }
    stop_taking();
}

void pipeline_work::stop_taking()
{
    if (!sources_.should_stop())
        return;
    // acq_rel on both sides, and so no plain load: either the last feeder sees the drain, or
    // the drain sees that there is no feeder.
    for (running_queue& each : parts_.queues())
        if (each.taking && each.feeders.fetch_add(0, std::memory_order_acq_rel) == 0)
            each.taking->request_stop();
}

// Results are complete only when nothing can fail any more.
asio::awaitable<void> pipeline_work::finish_sinks()
{
    for (running_runner& runner : parts_.runners()) {
        if (!runner.is_sink() || tasks_.should_stop())
            continue;
        try {
            // by a worker of another runner, whose task it is not
            worker_context context(runner, 0, {}, sources_, out_);
            co_await context.end();  // it reads nothing
            co_await runner.work->finish(context);
        } catch (...) {
            failures_.add(std::current_exception(), runner.description.name);
            throw;
        }
    }
}

// All at the same time, because each waits for a server that is perhaps gone, and not for ever: a
// cancellation would only leave some of them behind.
asio::awaitable<void> pipeline_work::flush()
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    coordinator flushes(co_await asio::this_coro::executor);
    std::exception_ptr no_memory;
    try {
        for (const running_queue& each : parts_.queues())
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
