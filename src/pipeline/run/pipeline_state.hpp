// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/element_queue.hpp"
#include "pipeline/run/result_order.hpp"
#include "pipeline/run/worker_state.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/running_pipeline.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/feeder.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Where the workers of a runner wait while it is paused. Any thread.
class runner_gate
{
public:
    runner_gate(const boost::asio::any_io_executor& executor, const std::string& runner)
        : resumed_(executor, {.name = "pause of " + runner})
    {
    }

    // Workers that come from now on wait. Idempotent; nothing after open_for_good().
    void pause()
    {
        const std::lock_guard lock(mutex_);
        if (stays_open_)
            return;
        resumed_.reset();
        is_paused_.store(true, std::memory_order_relaxed);
    }

    // Those that wait go on. Idempotent.
    void resume()
    {
        const std::lock_guard lock(mutex_);
        is_paused_.store(false, std::memory_order_relaxed);
        resumed_.set();
    }

    // The same, and no later pause holds a worker up.
    void open_for_good()
    {
        {
            const std::lock_guard lock(mutex_);
            stays_open_ = true;
        }
        resume();
    }

    // One atomic load, so that a runner that is never paused pays nothing.
    [[nodiscard]] bool is_paused() const noexcept
    {
        return is_paused_.load(std::memory_order_relaxed);
    }

    // Waits until it is open. Throws what a wait throws after a stop.
    [[nodiscard]] boost::asio::awaitable<void> pass()
    {
        // It may have been paused again before this worker has come to run.
        while (is_paused())
            co_await resumed_.wait();
    }

private:
    std::atomic<bool> is_paused_ = false;
    std::mutex mutex_;         // of what changes it
    event resumed_;            // reset while it is paused
    bool stays_open_ = false;  // guarded by mutex_
};

// A queue of this process, or one on a server.
struct running_queue
{
    queue_description description;
    std::atomic<std::size_t> feeders = 0;  // of one on a server: runners of this process
    std::optional<coordinator> taking;  // of one on a server: stopped after the feeders
    std::unique_ptr<remote_queue> remote;  // null: it is in this process
    std::unique_ptr<element_queue> queue;
};

// The elements that a runner has left out: how many, and why the first ones. The workers add,
// any thread reads.
class error_log
{
public:
    void add(std::string reason)
    {
        constexpr std::size_t most_kept = 3;
        const std::lock_guard lock(mutex_);
        ++count_;
        if (first_.size() < most_kept)
            first_.push_back(std::move(reason));
    }

    // Adds what it has to the figures of the runner.
    void complete(metrics::runner_snapshot& seen) const
    {
        const std::lock_guard lock(mutex_);
        seen.skipped = count_;
        seen.first_errors = first_;
    }

private:
    mutable std::mutex mutex_;
    std::uint64_t count_ = 0;         // guarded by mutex_
    std::vector<std::string> first_;  // guarded by mutex_
};

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

// A runner: its stage and its workers.
struct running_runner
{
    running_runner(
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
        constexpr std::size_t most_kept_for_each_worker = 1024 * 1024;  // in bytes
        if (description.ordered && description.workers > 1)
            order = std::make_unique<result_order>(
                executor,
                description.workers * most_kept_for_each_worker
            );
    }

    // `now`: as worker_clock::read() has it.
    [[nodiscard]] metrics::runner_snapshot snapshot(worker_clock::clock::time_point now
    ) const;

    [[nodiscard]] bool is_sink() const noexcept { return to.empty(); }

    [[nodiscard]] std::string worker_name(std::size_t worker) const
    {
        return description.name + '/' + std::to_string(worker);
    }

    // Exactly one worker of a runner is the last, unless one of them fails.
    [[nodiscard]] bool is_last_to_finish()
    {
        // release and acquire: the last one sees what the others have done
        return unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    runner_description description;
    std::unique_ptr<stage> work;
    element_queue* from = nullptr;  // null for a source
    output_queues to;
    output_queues errors_to;              // empty unless errors are diverted
    remote_queue* leased_from = nullptr;  // if it acknowledges when all is written
    std::vector<running_queue*> feeding_remotely;
    std::vector<feeder> feeding;          // until the last worker has ended
    std::unique_ptr<result_order> order;  // null unless several workers keep an order
    error_log errors;
    runner_gate gate;
    std::deque<worker_state> workers;     // they do not move
    std::atomic<std::size_t> unfinished;  // workers that have not come to their end; one
                                          // that fails never does
};

// What a pipeline is made of, and the life of its workers. Shared with these, so that it lives as
// long as they do.
struct running_pipeline::state : std::enable_shared_from_this<state>
{
    using clock = std::chrono::steady_clock;

    state(
        const boost::asio::any_io_executor& executor,
        checked_description checked,
        output& printed,
        overdue_function on_overdue,
        const remote_queue_factory& make_remote
    );

    boost::asio::awaitable<void> run();

    // In a drain nothing more is taken from a queue on a server, which others may empty. But what
    // this process still puts into it may wait for room that only this process makes.
    void stop_taking();

    // Throws errc::invalid_argument for a name that none has.
    running_runner& find_runner(std::string_view wanted);

    void open_gates();

    // What a monitor sees, and what it does not know: the time of the workers is exact here.
    [[nodiscard]] metrics::snapshot snapshot() const;

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
    // ready, running or done
    std::atomic<metrics::run_state> progress = metrics::run_state::ready;
    std::atomic<clock::time_point> started{};
    std::atomic<clock::time_point> ended{};

private:
    // The monitor sees the queue, unless that is on a server. When the tasks stop it is closed, or
    // nothing more is taken from one on a server.
    void add(
        const queue_description& queue,
        const pipeline_description& whole,
        const remote_queue_factory& make_remote
    );

    // After its queues. From now on those that it fills wait for its end before they close.
    void add(const runner_description& runner, std::unique_ptr<stage> work);

    // Null for no name.
    running_queue* find_queue(const std::string& wanted);

    void start() noexcept;

    // The whole life of a worker.
    boost::asio::awaitable<void> work(running_runner& runner, std::size_t worker);

    // A drain or a stop ends what this process does, and others may go on with the rest. Of a stop
    // the sources hear last: it has closed queues by then, which workers take for the end.
    boost::asio::awaitable<void> end_feeding(running_runner& runner);

    // Results are complete only when nothing can fail any more.
    boost::asio::awaitable<void> finish_sinks();

    // So that what workers return, because they were stopped, is with others soon. All at the same
    // time, because each waits for a server that is perhaps gone, and not for ever: a
    // cancellation would only leave some of them behind.
    boost::asio::awaitable<void> flush();

    // "clean (filter): it is wrong", or without a place if it was no runner that threw it.
    [[nodiscard]] std::string first_error() const;

    [[nodiscard]] metrics::run_state current_state(bool has_error) const;
};

}  // namespace sluice::pipeline
