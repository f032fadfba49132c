// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/worker_state.hpp"

#include <sluice/task/run_blocking.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <stdexcept>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> blocking_thread::run(std::function<void()> function)
{
    const std::lock_guard lock(mutex_);
    if (joined_)
        throw boost::system::system_error(asio::error::operation_aborted);
    try {
        if (!pool_)
            pool_.emplace(1);
    } catch (const boost::system::system_error& error) {
        // In the words of the system it would say no more than "Resource temporarily unavailable".
        throw std::runtime_error(fmt::format(
            "the system gives it no more threads ({}); each worker that reads or writes "
            "has one, so fewer \"workers\" need fewer",
            error.code().message()
        ));
    }
    return run_blocking(*pool_, std::move(function));
}

void blocking_thread::join()
{
    const std::lock_guard lock(mutex_);
    joined_ = true;
    if (pool_)
        pool_->join();
}

}  // namespace sluice::pipeline
