// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>

namespace sluice::pipeline {

// What a worker does at a moment.
enum class activity : unsigned char
{
    idle,  // has not begun, or has ended
    busy,
    waiting_to_enqueue,
    waiting_to_dequeue
};

// How long a worker has done what. The worker switches, anybody reads.
class worker_clock
{
public:
    using clock = std::chrono::steady_clock;

    struct times
    {
        activity current;
        clock::duration busy;
        clock::duration waiting_to_enqueue;
        clock::duration waiting_to_dequeue;
    };

    void switch_to(activity next)
    {
        const clock::time_point now = clock::now();
        const std::lock_guard lock(mutex_);
        spent_[index(current_)] += now - since_;
        current_ = next;
        since_ = now;
    }

    // Includes what is going on.
    [[nodiscard]] times read() const
    {
        const clock::time_point now = clock::now();
        const std::lock_guard lock(mutex_);
        auto spent = spent_;
        spent[index(current_)] += now - since_;
        return {
            current_,
            spent[index(activity::busy)],
            spent[index(activity::waiting_to_enqueue)],
            spent[index(activity::waiting_to_dequeue)]
        };
    }

private:
    static std::size_t index(activity which) { return static_cast<std::size_t>(which); }

    mutable std::mutex mutex_;
    activity current_ = activity::idle;       // guarded by mutex_
    clock::time_point since_ = clock::now();  // guarded by mutex_
    std::array<clock::duration, 4> spent_{};  // guarded by mutex_
};

// Back to busy at the end of a wait, however it ends.
class waiting_scope
{
public:
    waiting_scope(worker_clock& clock, activity waiting) : clock_(clock)
    {
        clock_.switch_to(waiting);
    }

    waiting_scope(const waiting_scope&) = delete;
    waiting_scope& operator=(const waiting_scope&) = delete;
    ~waiting_scope() { clock_.switch_to(activity::busy); }

private:
    worker_clock& clock_;
};

}  // namespace sluice::pipeline
