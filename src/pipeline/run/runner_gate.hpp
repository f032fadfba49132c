// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

namespace sluice::pipeline {

// Where the workers of a runner wait while it is paused. Any thread.
/*
 * A pause is a queue that stays empty, and its end the close of that queue: so a worker waits as it
 * does for elements, is listed with what it waits for, and a stop ends its wait.
 */
class runner_gate
{
public:
    runner_gate(boost::asio::any_io_executor executor, const std::string& runner);

    // Workers that come from now on wait. Idempotent; nothing after open_for_good().
    void pause();

    // Those that wait go on. Idempotent.
    void resume();

    // The same, and no later pause holds a worker up.
    void open_for_good();

    // One atomic load, so that a runner that is never paused pays nothing.
    [[nodiscard]] bool is_paused() const noexcept
    {
        return is_paused_.load(std::memory_order_relaxed);
    }

    // Waits until it is open. Throws what a dequeue throws after a stop.
    [[nodiscard]] boost::asio::awaitable<void> pass();

private:
    using barrier = fifo_queue<std::monostate>;

    [[nodiscard]] std::shared_ptr<barrier> current() const;

    const boost::asio::any_io_executor executor_;
    const std::string name_;
    std::atomic<bool> is_paused_ =
        false;  // that there is a barrier, for workers that need not wait
    mutable std::mutex mutex_;
    std::shared_ptr<barrier> barrier_;  // guarded by mutex_; null: open
    bool stays_open_ = false;           // guarded by mutex_
};

}  // namespace sluice::pipeline
