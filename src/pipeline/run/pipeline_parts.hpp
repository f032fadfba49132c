// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/blocking_thread.hpp"
#include "pipeline/run/element_queue.hpp"
#include "pipeline/run/output_queues.hpp"
#include "pipeline/run/result_order.hpp"
#include "pipeline/run/runner_gate.hpp"
#include "pipeline/run/worker_clock.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/queue/feeder.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// A queue of this process, or one on a server.
struct running_queue
{
    queue_description description;
    std::atomic<std::size_t> feeders = 0;  // of one on a server: runners of this process
    std::optional<coordinator> taking;  // of one on a server: stopped after the feeders
    std::unique_ptr<remote_queue> remote;  // null: it is in this process
    std::unique_ptr<element_queue> queue;
};

// Per-worker state; written by the worker, read from any thread.
struct worker_state
{
    blocking_thread thread;
    worker_clock clock;
    std::atomic<std::uint64_t> items_in = 0;
    std::atomic<std::uint64_t> items_out = 0;
};

// The elements that a runner has left out: how many, and why the first ones. The workers add,
// any thread reads.
class error_log
{
public:
    void add(std::string reason);

    // Adds what it has to the figures of the runner.
    void complete(metrics::runner_snapshot& seen) const;

private:
    mutable std::mutex mutex_;
    std::uint64_t count_ = 0;         // guarded by mutex_
    std::vector<std::string> first_;  // guarded by mutex_
};

// A runner: its stage and its workers.
struct running_runner
{
    running_runner(
        const boost::asio::any_io_executor& executor,
        runner_description described,
        std::unique_ptr<stage> made
    );

    // `now`: as worker_clock::read() has it.
    [[nodiscard]] metrics::runner_snapshot snapshot(worker_clock::clock::time_point now
    ) const;

    [[nodiscard]] bool is_sink() const noexcept { return to.empty(); }

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

// The queues and the runners that this process has of a pipeline, connected as described.
class pipeline_parts
{
public:
    explicit pipeline_parts(boost::asio::any_io_executor executor);

    // The monitor sees the queue, unless that is on a server. When the tasks stop it is closed, or
    // nothing more is taken from one on a server.
    void add(
        const queue_description& queue,
        const pipeline_description& whole,
        const remote_queue_factory& make_remote,
        coordinator& tasks,
        monitor& watch
    );

    // After its queues. From now on those that it fills wait for its end before they close.
    void add(const runner_description& runner, std::unique_ptr<stage> work);

    [[nodiscard]] std::deque<running_queue>& queues() noexcept { return queues_; }

    [[nodiscard]] const std::deque<running_queue>& queues() const noexcept
    {
        return queues_;
    }

    [[nodiscard]] std::deque<running_runner>& runners() noexcept { return runners_; }

    [[nodiscard]] const std::deque<running_runner>& runners() const noexcept
    {
        return runners_;
    }

    // Throws errc::invalid_argument for a name that none has.
    [[nodiscard]] running_runner& find_runner(std::string_view name);

private:
    // Null for no name.
    [[nodiscard]] running_queue* find_queue(const std::string& name);

    boost::asio::any_io_executor executor_;
    std::deque<running_queue> queues_;  // neither queues nor runners move
    std::deque<running_runner> runners_;
};

}  // namespace sluice::pipeline
