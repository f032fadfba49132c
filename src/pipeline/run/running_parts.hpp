// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/element_queue.hpp"
#include "pipeline/run/output_queues.hpp"
#include "pipeline/run/result_order.hpp"
#include "pipeline/run/runner_gate.hpp"
#include "pipeline/run/worker_context.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/metrics/snapshot.hpp>
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
#include <optional>
#include <vector>

namespace sluice::pipeline {

// A queue, and how often a worker waited at its ends.
struct running_queue
{
    [[nodiscard]] queue_end for_consumers() noexcept
    {
        return {queue.get(), &waits_to_dequeue};
    }

    // No producer waits at the entrance of a queue that drops elements.
    [[nodiscard]] queue_end for_producers() noexcept
    {
        const bool waits = description.overflow == overflow::wait;
        return {queue.get(), waits ? &waits_to_enqueue : nullptr};
    }

    // What the snapshot of a monitor does not have of it.
    void complete(metrics::queue_snapshot& seen) const;

    queue_description description;
    std::atomic<std::size_t> feeders = 0;  // of one on a server: runners of this process
    std::optional<coordinator> taking;  // of one on a server: stopped after the feeders
    std::unique_ptr<remote_queue> remote;  // null: it is in this process
    std::unique_ptr<element_queue> queue;
    std::atomic<std::uint64_t> waits_to_enqueue = 0;
    std::atomic<std::uint64_t> waits_to_dequeue = 0;
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
    queue_end from;
    output_queues to;
    output_queues errors_to;              // empty unless errors are diverted
    remote_queue* leased_from = nullptr;  // if it acknowledges when all is written
    std::vector<running_queue*> feeding_remotely;
    std::vector<feeder> feeding;          // of all but the first of `to`, until the last
                                          // worker has ended
    std::unique_ptr<result_order> order;  // null unless several workers keep an order
    error_log errors;
    runner_gate gate;
    std::deque<worker_state> workers;     // they do not move
    std::atomic<std::size_t> unfinished;  // workers that have not come to their end; one
                                          // that fails never does
};

}  // namespace sluice::pipeline
