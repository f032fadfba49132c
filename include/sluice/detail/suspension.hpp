// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/deadline_service.hpp>
#include <sluice/detail/supervised_executor.hpp>
#include <sluice/detail/time_limit.hpp>
#include <sluice/detail/wait_service.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/query.hpp>

#include <concepts>
#include <memory>

namespace sluice::detail {

// Sits in the cancellation slot of an operation. Terminal, partial and total mean the same
// here, because a cancelled operation leaves nothing half done.
template <class Waiter>
class cancel_hook
{
public:
    explicit cancel_hook(Waiter& target) noexcept : target_(&target) {}

    void operator()(boost::asio::cancellation_type) noexcept
    {
        target_->cancel(boost::asio::error::operation_aborted);
    }

private:
    Waiter* target_;
};

// The wait log of the task that an executor belongs to, null if it is not supervised.
template <class Executor>
std::shared_ptr<wait_log> wait_log_of(const Executor& executor)
{
    const supervised_executor* supervised = nullptr;
    if constexpr (std::same_as<Executor, supervised_executor>)
        supervised = &executor;
    else if constexpr (std::same_as<Executor, boost::asio::any_io_executor>) {
        // Most often it is this one, and to find one costs less than to find none.
        if (executor.template target<boost::asio::io_context::executor_type>() == nullptr)
            supervised = executor.template target<supervised_executor>();
    }
    return supervised == nullptr ? nullptr : supervised->log();
}

// What an operation is connected to while it waits: its deadline, its execution context and
// the report of its task. Made before the operation is started, because afterwards it may
// complete, and its memory be gone, at any moment.
template <class Waiter>
class suspension final : public deadline_entry
{
public:
    explicit suspension(Waiter& operation) noexcept : operation_(operation) {}

    ~suspension() { disconnect(); }

    template <class Executor>
    void connect(const Executor& executor, const time_limit& limit)
    {
        boost::asio::execution_context& context =
            boost::asio::query(executor, boost::asio::execution::context);
        operation_.set_context(context);
        if (!limit.is_set())
            track(executor);
        else if (!limit.has_passed()) {
            track(executor);
            deadlines_ = &boost::asio::use_service<deadline_service>(context);
            deadlines_->arm(*this, limit.deadline(), [&executor] {
                return without_strand(executor);
            });
        }
    }

    void disconnect() noexcept
    {
        if (deadlines_ != nullptr)
            deadlines_->disarm(*this);
        deadlines_ = nullptr;
        if (log_)
            log_->end(wait_);
        log_.reset();
    }

private:
    template <class Executor>
    void track(const Executor& executor)
    {
        log_ = wait_log_of(executor);
        if (log_)
            log_->begin(wait_, operation_);
    }

    void expire() noexcept override { operation_.cancel(errc::timed_out); }

    Waiter& operation_;
    deadline_service* deadlines_ = nullptr;
    std::shared_ptr<wait_log> log_;
    tracked_wait wait_;
};

}  // namespace sluice::detail
