// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace sluice::page {

// Functions of the program that the page calls until it is told to stop.
/*
 * Invariant: once clear() has returned on another thread, none of the functions runs or will run,
 * so what they refer to may be destroyed. A function may itself destroy the page, which calls
 * clear() on the same thread: the mutex is recursive, and the call holds what it calls.
 */
template <class Calls>
class guarded_calls
{
public:
    explicit guarded_calls(Calls calls)
        : calls_(std::make_shared<const Calls>(std::move(calls)))
    {
    }

    // False, without a call of `use`, after clear().
    template <class Use>
    bool with(Use use) const
    {
        const std::lock_guard lock(mutex_);
        const auto calls = calls_;
        if (!calls)
            return false;
        use(*calls);
        return true;
    }

    void clear()
    {
        const std::lock_guard lock(mutex_);
        calls_.reset();
    }

private:
    mutable std::recursive_mutex mutex_;
    std::shared_ptr<const Calls> calls_;  // guarded by mutex_
};

}  // namespace sluice::page
