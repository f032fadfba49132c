// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaitable_access.hpp>
#include <sluice/detail/budget.hpp>
#include <sluice/detail/operation.hpp>
#include <sluice/detail/post.hpp>
#include <sluice/detail/suspension.hpp>
#include <sluice/detail/wait_hub.hpp>

#include <coroutine>
#include <optional>
#include <utility>

namespace sluice::detail {

// An operation awaited by a coroutine of type asio::awaitable. It lives in the coroutine's
// frame, and so does the waiter; a ready operation neither suspends nor allocates.
template <class Waiter, result_form Form, class Executor>
class awaitable_awaiter final : public Waiter
{
    using frame = boost::asio::detail::awaitable_frame_base<Executor>;
    using suspended = suspended_coroutine<Executor>;

public:
    awaitable_awaiter(typename Waiter::arguments&& args, time_limit limit, frame& awaiting)
        : Waiter(std::move(args)), frame_(awaiting), limit_(limit)
    {
    }

    ~awaitable_awaiter() { Waiter::forget(wait_hub::deliveries::over); }

    bool await_ready()
    {
        within_budget_ = budget::take();
        return within_budget_ && Waiter::try_start();
    }

    // Whatever is connected is connected before the start: afterwards *this may be resumed
    // by another thread, and be gone.
    bool await_suspend(std::coroutine_handle<>)
    {
        Waiter::retain();
        suspension_.emplace(*this).connect(suspended::executor_of(frame_), limit_);
        auto slot = suspended::slot_of(frame_);
        if (slot.is_connected())
            slot.template emplace<cancel_hook<Waiter>>(*this);
        // A cancellation that came earlier is not emitted again.
        if (suspended::is_cancelled(frame_))
            Waiter::cancel(boost::asio::error::operation_aborted);
        const delivery how =
            within_budget_ ? delivery::inline_if_ready : delivery::always_posted;
        const patience waits = limit_.has_passed() ? patience::gives_up : patience::waits;
        if (!Waiter::start(how, waits)) {
            budget::reset();
            return true;
        }
        if (slot.is_connected())
            slot.clear();
        return false;
    }

    auto await_resume()
    {
        if constexpr (Form == result_form::tuple)
            return Waiter::outcome();
        else
            return Waiter::result();
    }

private:
    // What is posted to the executor. If the executor drops it uncalled, the coroutine dies
    // with it, and what the operation was handed goes back.
    class resumption
    {
    public:
        resumption(suspended&& coroutine, awaitable_awaiter& operation) noexcept
            : coroutine_(std::move(coroutine)), operation_(&operation)
        {
        }

        void operator()()
        {
            operation_->finish_delivery();
            coroutine_.resume();
        }

    private:
        suspended coroutine_;
        awaitable_awaiter* operation_;
    };

    void suspend() noexcept override { suspended_.emplace(frame_); }

    void deliver() noexcept override
    {
        suspended coroutine = take_suspended();
        const Executor& executor = coroutine.executor();
        detail::post(executor, resumption(std::move(coroutine), *this));
    }

    void abandon() noexcept override
    {
        suspension_.reset();
        const suspended destroyed = take_suspended();
    }

    suspended take_suspended() noexcept
    {
        suspended taken = std::move(*suspended_);
        suspended_.reset();
        return taken;
    }

    frame& frame_;
    time_limit limit_;
    bool within_budget_ = true;
    std::optional<suspension<Waiter>> suspension_;  // made when it is about to wait
    std::optional<suspended> suspended_;
};

}  // namespace sluice::detail

namespace boost::asio::detail {

template <
    typename Signature,
    typename Waiter,
    typename QueueExecutor,
    sluice::detail::result_form Form,
    typename Executor>
class awaitable_async_op<
    Signature,
    sluice::detail::operation<Waiter, QueueExecutor, Form>,
    Executor>
{
public:
    using operation = sluice::detail::operation<Waiter, QueueExecutor, Form>;
    using frame = awaitable_frame_base<Executor>;

    awaitable_async_op(operation&& op, frame* awaiting) : operation_(&op), frame_(awaiting) {}

    auto operator co_await() &&
    {
        return sluice::detail::awaitable_awaiter<Waiter, Form, Executor>(
            std::move(*operation_).take_arguments(),
            operation_->limit(),
            *frame_
        );
    }

private:
    operation* operation_;
    frame* frame_;
};

}  // namespace boost::asio::detail
