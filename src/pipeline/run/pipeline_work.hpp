// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/pipeline_parts.hpp"
#include "pipeline/run/runner_failures.hpp"
#include "pipeline/run/worker_context.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/pipeline/output.hpp>

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>

namespace sluice::pipeline {

// What the workers of a pipeline do, from their first element to the complete results.
class pipeline_work
{
public:
    // Of parts to which nothing is added any more. `sources` is a child of `tasks`: stopped alone
    // it drains.
    pipeline_work(
        pipeline_parts& parts,
        coordinator& tasks,
        coordinator& sources,
        output& out
    );

    // The whole life of a worker.
    [[nodiscard]] boost::asio::awaitable<void> work(
        running_runner& runner,
        std::size_t worker
    );

    // In a drain nothing more is taken from a queue on a server, which others may empty. But what
    // this process still puts into it may wait for room that only this process makes.
    void stop_taking();

    // So that what workers return, because they were stopped, is with others soon.
    [[nodiscard]] boost::asio::awaitable<void> flush();

    // See running_pipeline.
    [[nodiscard]] std::string runner_of(const std::exception_ptr& exception) const
    {
        return failures_.runner_of(exception);
    }

    // See running_pipeline.
    [[nodiscard]] std::exception_ptr ended_wait() const { return failures_.ended_wait(); }

private:
    [[nodiscard]] worker_context::surroundings surroundings_of(
        running_runner& runner,
        std::size_t worker,
        sluice::detail::readiness task
    );
    [[nodiscard]] std::unique_ptr<worker_context> make_context(
        running_runner& runner,
        std::size_t worker,
        const boost::asio::any_io_executor& executor
    );
    [[nodiscard]] boost::asio::awaitable<void> end_feeding(running_runner& runner);
    [[nodiscard]] boost::asio::awaitable<void> finish_sinks();

    pipeline_parts& parts_;
    coordinator& tasks_;
    coordinator& sources_;
    output& out_;
    runner_failures failures_;
    // Workers of all runners that have not come to their end; see is_last_to_finish().
    std::atomic<std::size_t> unfinished_ = 0;
};

}  // namespace sluice::pipeline
