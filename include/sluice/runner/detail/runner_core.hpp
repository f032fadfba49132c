// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::detail {

// The accounts of a queue runner: how many workers run, what they failed with, and which of
// them is the last.
//
//   idle ──begin(n)──▶ running ──n-th worker_ended()──▶ idle
//
// (R1) Exactly one worker of a run is told that it is the last.
// (R2) A run begins with an empty list of exceptions.
class runner_core
{
public:
    // What the end of a worker means for the queue.
    struct ending
    {
        bool last;                 // the run has ended,
        std::exception_ptr cause;  // with this as its first failure, if there was one
    };

    // False if a run is going on already. The end of a worker allocates nothing.
    [[nodiscard]] bool begin(std::size_t workers)
    {
        std::vector<std::exception_ptr> exceptions;
        exceptions.reserve(workers);
        const std::lock_guard lock(mutex_);
        if (running_ > 0)
            return false;
        running_ = workers;
        exceptions_.swap(exceptions);
        return true;
    }

    [[nodiscard]] ending worker_ended(std::exception_ptr failure) noexcept
    {
        const std::lock_guard lock(mutex_);
        if (failure)
            exceptions_.push_back(std::move(failure));
        --running_;
        return {running_ == 0, exceptions_.empty() ? nullptr : exceptions_.front()};
    }

    [[nodiscard]] std::size_t running() const
    {
        const std::lock_guard lock(mutex_);
        return running_;
    }

    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const
    {
        const std::lock_guard lock(mutex_);
        return exceptions_;
    }

private:
    mutable std::mutex mutex_;
    std::size_t running_ = 0;                     // guarded by mutex_
    std::vector<std::exception_ptr> exceptions_;  // guarded by mutex_
};

}  // namespace sluice::detail
