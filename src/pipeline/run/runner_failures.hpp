// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

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

}  // namespace sluice::pipeline
