// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/pipeline_parts.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/pipeline/output.hpp>

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

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

    [[nodiscard]] const runner_failures& failures() const noexcept { return failures_; }

private:
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
