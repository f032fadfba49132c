// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/running_parts.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace sluice::pipeline {

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
    void start_workers(running_runner& runner);

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

    // Up to when the time of a pipeline in this state counts.
    [[nodiscard]] clock::time_point end_of_look(metrics::run_state at) const;
};

}  // namespace sluice::pipeline
