// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/io_context_pool.hpp>

#include <sluice/error.hpp>

#include <boost/system/errc.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace sluice {

void detail::awaited_end::tell(std::exception_ptr failure) noexcept
{
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    is_told_ = true;
    changed_.notify_one();
}

void detail::awaited_end::wait()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_told_; });
    if (failure_)
        std::rethrow_exception(std::move(failure_));
}

io_context_pool::io_context_pool(std::size_t threads) : work_(context_.get_executor())
{
    if (threads == 0)
        threads = std::max(1U, std::thread::hardware_concurrency());
    threads_.reserve(threads);
    try {
        while (threads_.size() < threads)
            threads_.emplace_back([this] { context_.run(); });
    } catch (...) {
        stop();
        throw;
    }
}

io_context_pool::~io_context_pool()
{
    stop();
    for (std::jthread& thread : threads_)
        if (thread.joinable())
            thread.join();
}

void io_context_pool::stop() noexcept
{
    context_.stop();
}

void io_context_pool::join()
{
    refuse_own_thread("join");
    work_.reset();
    for (std::jthread& thread : threads_)
        if (thread.joinable())
            thread.join();
}

void io_context_pool::refuse_own_thread(const char* member)
{
    if (get_executor().running_in_this_thread())
        throw system_error(
            make_error_code(boost::system::errc::resource_deadlock_would_occur),
            std::string("io_context_pool::") + member +
                ": this is a thread of the pool, which would wait for itself; use "
                "co_await or co_spawn here"
        );
}

}  // namespace sluice
