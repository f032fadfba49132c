// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/mutex.hpp>
#include <sluice/detail/waiter.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <mutex>
#include <string>

namespace sluice::detail {

// An operation as a task's report sees it while it waits.
struct tracked_wait : boost::intrusive::list_base_hook<
                          boost::intrusive::link_mode<boost::intrusive::auto_unlink>>
{
    const waiter* operation = nullptr;
};

// What the operations of one supervised task wait on right now (P9).
class wait_log
{
public:
    using clock = std::chrono::steady_clock;

    void begin(tracked_wait& wait, const waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        wait.operation = &operation;
        waits_.push_back(wait);
        since_ = clock::now();
    }

    void end(tracked_wait& wait) noexcept
    {
        const std::lock_guard lock(mutex_);
        wait.unlink();
        since_ = clock::now();
    }

    // All operations that wait, in words; empty if there is none.
    [[nodiscard]] std::string describe() const
    {
        const std::lock_guard lock(mutex_);
        std::string text;
        for (const tracked_wait& wait : waits_)
            text += (text.empty() ? "" : ", ") + wait.operation->describe();
        return text;
    }

    // When the last wait began or ended.
    [[nodiscard]] clock::time_point since() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return since_;
    }

private:
    mutable mutex mutex_;
    boost::intrusive::list<tracked_wait, boost::intrusive::constant_time_size<false>>
        waits_;
    clock::time_point since_ = clock::now();
};

}  // namespace sluice::detail
