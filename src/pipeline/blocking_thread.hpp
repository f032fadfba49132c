// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/system_error.hpp>

#include <mutex>
#include <optional>

namespace sluice::pipeline {

// The thread on which a worker does what may block; made when it is first needed.
class blocking_thread
{
public:
    [[nodiscard]] boost::asio::thread_pool& get()
    {
        const std::lock_guard lock(mutex_);
        if (joined_)
            throw boost::system::system_error(boost::asio::error::operation_aborted);
        if (!pool_)
            pool_.emplace(1);
        return *pool_;
    }

    // Waits for the function that is running. It reports to the context of its worker, which
    // therefore must not die before this.
    void join()
    {
        const std::lock_guard lock(mutex_);
        joined_ = true;
        if (pool_)
            pool_->join();
    }

private:
    std::mutex mutex_;
    std::optional<boost::asio::thread_pool> pool_;  // guarded by mutex_
    bool joined_ = false;                           // guarded by mutex_
};

}  // namespace sluice::pipeline
