// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>

namespace sluice::pipeline {

using metrics::activity;

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

}  // namespace sluice::pipeline
