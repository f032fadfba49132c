// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::detail {

// What the operations of one supervised task wait on right now (P9), and whether the task is
// ready: it has something to run, its start or the end of a wait, and no thread runs it yet.
class wait_log
{
public:
    using clock = std::chrono::steady_clock;

    void begin(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(operation);
        since_ = clock::now();
    }

    // Where the task goes on. The wait was over when the task became ready, if it had to.
    void end(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        operation.log_hook::unlink();
        const clock::time_point over = ready_since_ > since_ ? ready_since_
                                                             : clock::now();
        if (operation.hub_ != nullptr)
            if (wait_times* const times = operation.hub_->kept_wait_times())
                times->add(operation.list_, over - since_);
        since_ = over;
    }

    // The executor of the task has been given a function to run.
    void post() noexcept
    {
        const std::lock_guard lock(mutex_);
        if (posted_++ == 0 && running_ == 0)
            ready_since_ = clock::now();
    }

    // It drops one without running it.
    void drop() noexcept
    {
        const std::lock_guard lock(mutex_);
        if (--posted_ == 0 && running_ == 0)
            count_ready();
    }

    // It begins to run one, perhaps inside of another.
    void resume() noexcept
    {
        const std::lock_guard lock(mutex_);
        --posted_;
        if (running_++ == 0)
            count_ready();
    }

    // That has returned. If no operation waits, the task has begun to await something that is not
    // known here.
    void suspend() noexcept
    {
        const std::lock_guard lock(mutex_);
        if (--running_ > 0)
            return;
        if (posted_ > 0)
            ready_since_ = clock::now();
        else if (waiting_.empty())
            since_ = clock::now();
    }

    // Where the task runs: from here on it is counted how long it is ready, and so is how long it
    // was before it began to run.
    void keep_ready_time() noexcept
    {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(keeps_ready_time_, true))
            count_ready();
    }

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

    [[nodiscard]] reading read() const
    {
        const std::lock_guard lock(mutex_);
        if (is_ready())
            return {.text = {}, .places = {}, .since = ready_since_, .is_ready = true};
        const bool is_running = running_ > 0;
        reading result{
            .text = {},
            .places = {},
            .since = is_running && waiting_.empty() ? std::max(since_, ready_since_)
                                                    : since_,
            .is_running = is_running
        };
        for (const waiter& operation : waiting_) {
            result.places.push_back({operation.hub_, operation.list_});
            result.text += (result.text.empty() ? "" : ", ") + operation.describe();
        }
        return result;
    }

private:
    [[nodiscard]] bool is_ready() const noexcept { return posted_ > 0 && running_ == 0; }

    void count_ready() noexcept
    {
        if (keeps_ready_time_)
            ready_ += clock::now() - ready_since_;
    }

    mutable mutex mutex_;
    boost::intrusive::list<
        waiter,
        boost::intrusive::base_hook<log_hook>,
        boost::intrusive::constant_time_size<false>>
        waiting_;
    clock::time_point since_ = clock::now();
    clock::time_point ready_since_{};  // the last time that it became ready
    clock::duration ready_{};          // the times before, together, if they are kept
    bool keeps_ready_time_ = false;
    unsigned posted_ = 0;   // functions that the executor has not begun
    unsigned running_ = 0;  // those that have not returned, one inside of another
};

}  // namespace sluice::detail
