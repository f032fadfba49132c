// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::detail {

// The accounts of a queue runner: how many workers run, what they failed with, and which of
// them is the last.
//
//   idle ──begin(n)──▶ starting ──open()──▶ running ──n-th worker_ended()──▶ idle
//                         └──────cancel()──▶ as before begin()
//
// (R1) Exactly one worker of a run is told that it is the last.
// (R2) A run begins with an empty list of exceptions.
// (R3) A run that could not be started with all its workers leaves no trace. Those of its
//      workers that exist already have waited for it to be opened, and end as strangers.
class runner_core
{
public:
    // What the end of a worker means for the queue.
    struct ending
    {
        bool last;                 // this worker closes the queue,
        std::exception_ptr cause;  // with the first failure of the run, if there was one
    };

    // Names one run of many; `none` is no run.
    enum class run : std::uint64_t
    {
        none
    };

    // What a worker may do that has come to life.
    enum class entry : unsigned char
    {
        not_yet,
        open,
        refused
    };

    // run::none if a run is going on already. The end of a worker allocates nothing.
    [[nodiscard]] run begin(std::size_t workers)
    {
        std::vector<std::exception_ptr> exceptions;
        exceptions.reserve(workers);
        const std::lock_guard lock(mutex_);
        if (running_ > 0)
            return run::none;
        running_ = workers;
        starting_ = true;
        exceptions_.swap(exceptions);
        before_.swap(exceptions);
        current_ = run{static_cast<std::uint64_t>(current_) + 1};
        return current_;
    }

    // All workers exist. They may all have ended already; then this is the last of them.
    [[nodiscard]] ending open() noexcept
    {
        std::vector<std::exception_ptr> forgotten;
        const std::lock_guard lock(mutex_);
        starting_ = false;
        before_.swap(forgotten);
        return ending_now();
    }

    // They could not all be made.
    void cancel() noexcept
    {
        std::vector<std::exception_ptr> forgotten;
        const std::lock_guard lock(mutex_);
        running_ = 0;
        starting_ = false;
        exceptions_.swap(before_);
        before_.swap(forgotten);
        current_ = run{static_cast<std::uint64_t>(current_) + 1};
    }

    [[nodiscard]] entry may_enter(run which) const noexcept
    {
        const std::lock_guard lock(mutex_);
        if (which != current_)
            return entry::refused;
        return starting_ ? entry::not_yet : entry::open;
    }

    [[nodiscard]] ending worker_ended(run which, std::exception_ptr failure) noexcept
    {
        const std::lock_guard lock(mutex_);
        if (which != current_)
            return {false, nullptr};
        if (failure)
            exceptions_.push_back(std::move(failure));
        --running_;
        return ending_now();
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
    [[nodiscard]] ending ending_now() const noexcept
    {
        const bool last = running_ == 0 && !starting_;
        return {last, exceptions_.empty() ? nullptr : exceptions_.front()};
    }

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    run current_ = run::none;
    bool starting_ = false;
    std::size_t running_ = 0;
    std::vector<std::exception_ptr> exceptions_;
    std::vector<std::exception_ptr> before_;  // of the last run, while one is starting
};

}  // namespace sluice::detail
