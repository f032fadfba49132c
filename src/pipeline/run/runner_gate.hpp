// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/event.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <mutex>
#include <string>

namespace sluice::pipeline {

// Where the workers of a runner wait while it is paused. Any thread.
class runner_gate
{
public:
    runner_gate(const boost::asio::any_io_executor& executor, const std::string& runner)
        : resumed_(executor, {.name = "pause of " + runner})
    {
    }

    // Workers that come from now on wait. Idempotent; nothing after open_for_good().
    void pause()
    {
        const std::lock_guard lock(mutex_);
        if (stays_open_)
            return;
        resumed_.reset();
        is_paused_.store(true, std::memory_order_relaxed);
    }

    // Those that wait go on. Idempotent.
    void resume()
    {
        const std::lock_guard lock(mutex_);
        is_paused_.store(false, std::memory_order_relaxed);
        resumed_.set();
    }

    // The same, and no later pause holds a worker up.
    void open_for_good()
    {
        {
            const std::lock_guard lock(mutex_);
            stays_open_ = true;
        }
        resume();
    }

    // One atomic load, so that a runner that is never paused pays nothing.
    [[nodiscard]] bool is_paused() const noexcept
    {
        return is_paused_.load(std::memory_order_relaxed);
    }

    // Waits until it is open. Throws what a wait throws after a stop.
    [[nodiscard]] boost::asio::awaitable<void> pass()
    {
        // It may have been paused again before this worker has come to run.
        while (is_paused())
            co_await resumed_.wait();
    }

private:
    std::atomic<bool> is_paused_ = false;
    std::mutex mutex_;         // of what changes it
    event resumed_;            // reset while it is paused
    bool stays_open_ = false;  // guarded by mutex_
};

}  // namespace sluice::pipeline
