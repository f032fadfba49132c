// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <mutex>
#include <optional>

namespace sluice::pipeline {

// The thread on which a worker does what may block; made when it is first needed.
class blocking_thread
{
public:
    // Runs the function there. A cancellation waits for its end if it has begun.
    [[nodiscard]] boost::asio::awaitable<void> run(std::function<void()> function);

    // Waits for the function that is running. It reports to the context of its worker, which
    // therefore must not die before this.
    void join();

private:
    [[nodiscard]] boost::asio::thread_pool& get();

    std::mutex mutex_;
    std::optional<boost::asio::thread_pool> pool_;  // guarded by mutex_
    bool joined_ = false;                           // guarded by mutex_
};

}  // namespace sluice::pipeline
