// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/blocking_thread.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// Caught here, so that this thread has let go of an exception before the other one sees it.
asio::awaitable<std::exception_ptr> call(std::function<void()> function)
{
    try {
        function();
    } catch (...) {
        co_return std::current_exception();
    }
    co_return nullptr;
}

}  // namespace

asio::awaitable<void> blocking_thread::run(std::function<void()> function)
{
    // A cancellation would be emitted on another thread than that of the function, so there
    // is no slot. It completes only when the function has ended, so what that refers to stays
    // alive.
    const std::exception_ptr failure = co_await asio::co_spawn(
        get(),
        call(std::move(function)),
        asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable)
    );
    if (failure)
        std::rethrow_exception(failure);
}

void blocking_thread::join()
{
    const std::lock_guard lock(mutex_);
    joined_ = true;
    if (pool_)
        pool_->join();
}

asio::thread_pool& blocking_thread::get()
{
    const std::lock_guard lock(mutex_);
    if (joined_)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (!pool_)
        pool_.emplace(1);
    return *pool_;
}

}  // namespace sluice::pipeline
