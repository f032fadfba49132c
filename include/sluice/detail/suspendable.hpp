// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/deadline_service.hpp>
#include <sluice/detail/supervised_executor.hpp>
#include <sluice/detail/time_limit.hpp>
#include <sluice/detail/wait_hub.hpp>
#include <sluice/detail/wait_service.hpp>
#include <sluice/detail/waiter.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/query.hpp>

#include <concepts>
#include <utility>

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
wait_log* wait_log_of(const Executor& executor)
{
    const supervised_executor* supervised = nullptr;
    if constexpr (std::same_as<Executor, supervised_executor>)
        supervised = &executor;
    else if constexpr (std::same_as<Executor, boost::asio::any_io_executor>) {
        // Most often it is this one, and to find one costs less than to find none.
        if (executor.template target<boost::asio::io_context::executor_type>() == nullptr)
            supervised = executor.template target<supervised_executor>();
    }
    return supervised == nullptr ? nullptr : supervised->log().get();
}

// A waiter with all that it is connected to while it waits: its execution context, the report
// of its task and, if it has a `Limit`, its deadline. Connected before the operation is
// started, because afterwards it may complete, and its memory be gone, at any moment.
//
// Whoever derives from this calls end() first in its destructor: a deadline that passes and a
// report that is made at that moment call *this virtually.
template <class Waiter, class Limit>
class suspendable;

template <class Waiter>
class suspendable<Waiter, no_limit> : public Waiter
{
public:
    // The executor must live until this is disconnected. Gives what start() needs to know.
    template <class Executor>
    patience connect(const Executor& executor, no_limit /*limit*/)
    {
        this->set_context(boost::asio::query(executor, boost::asio::execution::context));
        track(executor);
        return patience::waits;
    }

    void disconnect() noexcept
    {
        if (log_ != nullptr)
            std::exchange(log_, nullptr)->end(*this);
    }

protected:
    using Waiter::Waiter;

    ~suspendable() { disconnect(); }

    void end(wait_hub::deliveries state) noexcept
    {
        disconnect();
        Waiter::forget(state);
    }

    template <class Executor>
    void track(const Executor& executor)
    {
        log_ = wait_log_of(executor);
        if (log_ != nullptr)
            log_->begin(*this);
    }

private:
    wait_log* log_ = nullptr;  // of the executor
};

template <class Waiter>
class suspendable<Waiter, time_limit> : public suspendable<Waiter, no_limit>,
                                        private deadline_entry
{
    using without_limit = suspendable<Waiter, no_limit>;

public:
    template <class Executor>
    patience connect(const Executor& executor, const time_limit& limit)
    {
        boost::asio::execution_context& context =
            boost::asio::query(executor, boost::asio::execution::context);
        this->set_context(context);
        if (limit.has_passed())
            return patience::gives_up;
        this->track(executor);
        if (limit.is_set()) {  // and not longer than the clock can count
            deadlines_ = &boost::asio::use_service<deadline_service>(context);
            deadlines_->arm(*this, limit.deadline(), [&executor] {
                return without_strand(executor);
            });
        }
        return patience::waits;
    }

    void disconnect() noexcept
    {
        if (deadlines_ != nullptr)
            std::exchange(deadlines_, nullptr)->disarm(*this);
        without_limit::disconnect();
    }

protected:
    using without_limit::without_limit;

    ~suspendable() { disconnect(); }

    void end(wait_hub::deliveries state) noexcept
    {
        disconnect();
        without_limit::end(state);
    }

private:
    void expire() noexcept override { this->cancel(errc::timed_out); }

    deadline_service* deadlines_ = nullptr;
};

}  // namespace sluice::detail
