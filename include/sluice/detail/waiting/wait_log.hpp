// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/sync/single_threaded.hpp>
#include <sluice/detail/waiting/coarse_clock.hpp>
#include <sluice/detail/waiting/linked_list.hpp>
#include <sluice/detail/waiting/task_step.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/detail/waiting/wait_times.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::detail {

// What one supervised task waits on right now (P9), and what it has to run. A task that has
// something to run, its start or the end of a wait, and no thread that runs it is ready.
//
// A thread is asked for when the first step comes, and again when a run ends and there are others;
// so at most one runs the steps at a time. Everything is under one lock, which a wait takes five
// times.
//
// The clock is read exactly only where the time is summed up: by a hub that keeps wait times, or
// for the time while ready. A report has to be right to a few milliseconds.
class wait_log
{
public:
    using clock = std::chrono::steady_clock;

    wait_log() = default;
    wait_log(const wait_log&) = delete;
    wait_log& operator=(const wait_log&) = delete;
    virtual ~wait_log() = default;

    // What the operations wait on ------------------------------------------------------------

    void begin(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        is_exact_ = keeps_ready_time_ || keeps_wait_times(operation) ||
                    (is_exact_ && !waiting_.empty());
        waiting_.push_back(operation);
        since_ = now();
    }

    // Where the task goes on. The wait was over when the task became ready, if it had to.
    void end(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        operation.log_hook::unlink();
        const clock::time_point over = ready_since_ >= since_ ? ready_since_ : now();
        if (keeps_wait_times(operation))
            operation.hub_->kept_wait_times()->add(operation.list_, over - since_);
        since_ = over;
    }

    // What the task has to run ---------------------------------------------------------------

    // True: a thread is to be asked for, which calls begin_run(), or drop() if there is none.
    [[nodiscard]] bool push(task_step& step) noexcept
    {
        const std::lock_guard lock(mutex_);
        steps_.push_back(step);
        if (std::exchange(has_asked_, true))
            return false;
        ready_since_ = now();
        return true;
    }

    // Takes one step. Those behind it run later, so that other tasks come in between.
    [[nodiscard]] task_step& begin_run() noexcept
    {
        const std::lock_guard lock(mutex_);
        is_running_ = true;
        count_ready();
        return steps_.take_front();
    }

    // True: as push().
    [[nodiscard]] bool end_run() noexcept
    {
        const std::lock_guard lock(mutex_);
        is_running_ = false;
        has_asked_ = !steps_.empty();
        if (has_asked_)
            ready_since_ = now();
        else if (waiting_.empty())
            since_ = now();  // it has begun to await something that is not known here
        return has_asked_;
    }

    // There is no thread: takes all steps, which are not to be run.
    [[nodiscard]] task_steps drop() noexcept
    {
        const std::lock_guard lock(mutex_);
        count_ready();
        has_asked_ = false;
        return std::move(steps_);
    }

    // Where the task runs: from here on it is counted how long it is ready, and so is how long it
    // was before it began to run.
    void keep_ready_time() noexcept
    {
        const std::lock_guard lock(mutex_);
        is_exact_ = true;
        if (!std::exchange(keeps_ready_time_, true))
            count_ready();
    }

    // Reports --------------------------------------------------------------------------------

    // What has been counted up to now, and whether the task is ready.
    struct ready_reading
    {
        clock::duration time;
        bool is_ready;
    };

    [[nodiscard]] ready_reading read_ready(clock::time_point now) const noexcept
    {
        const std::lock_guard lock(mutex_);
        const bool is_counting = is_ready() && now > ready_since_;
        return {is_counting ? ready_ + (now - ready_since_) : ready_, is_ready()};
    }

    // What the task does at one moment. While it is ready it waits for nothing.
    struct reading
    {
        struct place
        {
            hub_ptr hub;  // which its waiter keeps alive until here; null for a select
            unsigned char list;
        };

        std::string text;  // all operations that wait, in words; empty if there is none
        std::vector<place> places;
        clock::time_point since;  // the last wait began or ended, or it became ready
        bool is_ready = false;
        bool is_running = false;
    };

    [[nodiscard]] reading read() const;

    friend void intrusive_ptr_add_ref(const wait_log* log) noexcept
    {
        fetch_add(log->users_, std::uint32_t{1}, std::memory_order_relaxed);
    }

    friend void intrusive_ptr_release(const wait_log* log) noexcept
    {
        // acq_rel: the last user sees everything the others did
        if (fetch_add(log->users_, ~std::uint32_t{0}, std::memory_order_acq_rel) == 1)
            delete log;
    }

protected:
    mutable mutex mutex_;

private:
    [[nodiscard]] static bool keeps_wait_times(const waiter& operation) noexcept
    {
        return operation.hub_ != nullptr && operation.hub_->kept_wait_times() != nullptr;
    }

    [[nodiscard]] bool is_ready() const noexcept { return has_asked_ && !is_running_; }

    // Not before the last time that was noted, which may have been read more exactly.
    [[nodiscard]] clock::time_point now() const noexcept
    {
        return is_exact_ ? clock::now() : std::max({coarse_now(), since_, ready_since_});
    }

    void count_ready() noexcept
    {
        if (keeps_ready_time_)
            ready_ += clock::now() - ready_since_;
    }

    // Guarded by mutex_.
    linked_list<waiter, log_hook> waiting_;
    task_steps steps_;  // those that no thread has taken
    clock::time_point since_ = clock::now();
    clock::time_point ready_since_{};  // the last time that it became ready
    clock::duration ready_{};          // the times before, together, if they are kept
    bool keeps_ready_time_ = false;
    bool is_exact_ =
        true;  // how the clock is read; at first, for the time until the task begins
    bool has_asked_ = false;  // for a thread, which has not ended its run
    bool is_running_ = false;

    mutable std::atomic<std::uint32_t> users_{0};
};

}  // namespace sluice::detail
