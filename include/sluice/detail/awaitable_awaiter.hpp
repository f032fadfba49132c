// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaitable_access.hpp>
#include <sluice/detail/awaiter.hpp>
#include <sluice/detail/budget.hpp>
#include <sluice/detail/operation.hpp>
#include <sluice/detail/post.hpp>
#include <sluice/detail/suspension.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <coroutine>
#include <optional>
#include <utility>

#ifdef SLUICE_PORTABLE_AWAIT

#include <sluice/detail/portable_awaiter.hpp>

#else

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine of type asio::awaitable. It lives
// in the coroutine's frame.
template <class Operation, class Executor>
class awaitable_waiter final : public Operation::waiter
{
    using base = typename Operation::waiter;
    using frame = boost::asio::detail::awaitable_frame_base<Executor>;
    using suspended = suspended_coroutine<Executor>;

public:
    awaitable_waiter(Operation& operation, frame& awaiting)
        : base(std::move(operation).take_arguments()),
          frame_(awaiting),
          limit_(operation.limit())
    {
    }

    ~awaitable_waiter() { base::forget(wait_hub::deliveries::over); }

    // A coroutine that goes on after its cancellation gets no further elements (S17).
    [[nodiscard]] static bool is_cancelled(frame& awaiting)
    {
        return suspended::is_cancelled(awaiting);
    }

    // False if the operation is complete and the coroutine goes on at once. Whatever is
    // connected is connected before the start: afterwards *this may be resumed by another
    // thread, and be gone.
    bool begin_wait(std::coroutine_handle<> /*coroutine*/, delivery how)
    {
        base::retain();
        suspension_.emplace(*this).connect(suspended::executor_of(frame_), limit_);
        slot_ = suspended::slot_of(frame_);
        if (slot_.is_connected())
            slot_.template emplace<cancel_hook<base>>(*this);
        // A cancellation that came earlier is not emitted again.
        if (suspended::is_cancelled(frame_))
            base::cancel(boost::asio::error::operation_aborted);
        const patience waits = limit_.has_passed() ? patience::gives_up : patience::waits;
        if (!base::start(how, waits)) {
            budget::reset();
            wake_policy::run_ends();
            return true;
        }
        if (slot_.is_connected())
            slot_.clear();
        return false;
    }

    void end_wait() noexcept { suspension_.reset(); }

private:
    // What is posted to the executor. If the executor drops it uncalled, the coroutine dies
    // with it, and what the operation was handed goes back.
    class resumption
    {
    public:
        resumption(suspended&& coroutine, awaitable_waiter& operation) noexcept
            : coroutine_(std::move(coroutine)), operation_(&operation)
        {
        }

        void operator()()
        {
            wake_policy::run_ends();
            operation_->finish_delivery();
            coroutine_.resume();
        }

    private:
        suspended coroutine_;
        awaitable_waiter* operation_;
    };

    void suspend() noexcept override { suspended_.emplace(frame_); }

    void deliver() noexcept override
    {
        suspended coroutine = take_suspended();
        const Executor& executor = coroutine.executor();
        detail::post(executor, resumption(std::move(coroutine), *this), post_memory_);
    }

    void orphan() noexcept override
    {
        if (slot_.is_connected())
            slot_.clear();
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
    boost::asio::cancellation_slot slot_;
    std::optional<suspension<base>> suspension_;  // made when it is about to wait
    std::optional<suspended> suspended_;
    post_memory post_memory_;
};

}  // namespace sluice::detail

namespace boost::asio::detail {

// Is the awaiter itself, and made where it stays: what is copied again right after it was
// written makes the processor wait for the first writing.
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
    : public sluice::detail::awaiter<
          sluice::detail::awaitable_waiter<
              sluice::detail::operation<Waiter, QueueExecutor, Form>,
              Executor>,
          sluice::detail::operation<Waiter, QueueExecutor, Form>&,
          awaitable_frame_base<Executor>>
{
public:
    awaitable_async_op(
        sluice::detail::operation<Waiter, QueueExecutor, Form>&& awaited,
        awaitable_frame_base<Executor>* awaiting
    ) noexcept
        : awaitable_async_op::awaiter(std::move(awaited), *awaiting)
    {
    }
};

}  // namespace boost::asio::detail

#endif
