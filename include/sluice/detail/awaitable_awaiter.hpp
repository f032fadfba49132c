// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaitable_access.hpp>
#include <sluice/detail/awaiter.hpp>
#include <sluice/detail/budget.hpp>
#include <sluice/detail/operation.hpp>
#include <sluice/detail/post.hpp>
#include <sluice/detail/suspendable.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <coroutine>
#include <memory>
#include <utility>

#ifdef SLUICE_PORTABLE_AWAIT

#include <sluice/detail/portable_awaiter.hpp>

#else

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine of type asio::awaitable. It lives
// in the coroutine's frame.
template <class Operation, class Executor>
class awaitable_waiter final
    : public suspendable<typename Operation::waiter, typename Operation::limit_type>
{
    using waiter = typename Operation::waiter;
    using base = suspendable<waiter, typename Operation::limit_type>;
    using frame = boost::asio::detail::awaitable_frame_base<Executor>;
    using suspended = suspended_coroutine<Executor>;

public:
    explicit awaitable_waiter(Operation& operation)
        : base(std::move(operation).take_arguments())
    {
    }

    ~awaitable_waiter() { base::end(wait_hub::deliveries::over); }

    // False if the operation is complete and the coroutine goes on at once. Whatever is
    // connected is connected before the start: afterwards *this may be resumed by another
    // thread, and be gone.
    template <class Promise>
    bool begin_wait(
        std::coroutine_handle<Promise> coroutine,
        const Operation& operation,
        delivery how
    )
    {
        frame& awaiting = coroutine.promise();
        awaiting_ = &awaiting;
        const patience waits =
            base::connect(suspended::executor_of(awaiting), operation.limit());
        auto slot = suspended::slot_of(awaiting);
        if (slot.is_connected())
            slot.template emplace<cancel_hook<waiter>>(*this);
        // A cancellation that came earlier is not emitted again.
        if (suspended::is_cancelled(awaiting))
            base::cancel(boost::asio::error::operation_aborted);
        if (!base::start(how, waits)) {
            budget::reset();
            wake_policy::run_ends();
            return true;
        }
        if (slot.is_connected())
            slot.clear();
        return false;
    }

    void end_wait() noexcept { base::disconnect(); }

private:
    // What is posted to the executor. If the executor drops it uncalled, the coroutine dies
    // with it, and what the operation was handed goes back.
    class resumption
    {
    public:
        explicit resumption(awaitable_waiter* target) noexcept : target_(target) {}

        void operator()()
        {
            wake_policy::run_ends();
            target_.release()->resume();
        }

    private:
        struct end_of_coroutine
        {
            void operator()(awaitable_waiter* target) const noexcept
            {
                const suspended destroyed = target->take_suspended();
            }
        };

        std::unique_ptr<awaitable_waiter, end_of_coroutine> target_;
    };

    void suspend() noexcept override { std::construct_at(&suspended_, *awaiting_); }

    void deliver() noexcept override
    {
        detail::post(suspended_.executor(), resumption(this), post_memory_);
    }

    void resume()
    {
        base::finish_delivery();
        suspended coroutine = take_suspended();  // *this may die with it
        coroutine.resume();
    }

    void orphan() noexcept override
    {
        auto slot = suspended_.get_cancellation_slot();
        if (slot.is_connected())
            slot.clear();
    }

    void abandon() noexcept override
    {
        base::disconnect();
        const suspended destroyed = take_suspended();
    }

    suspended take_suspended() noexcept
    {
        suspended taken = std::move(suspended_);
        std::destroy_at(&suspended_);
        return taken;
    }

    union
    {
        frame* awaiting_ = nullptr;  // until suspend()
        suspended suspended_;        // from there to its resumption or its end
    };
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
    typename Limit,
    typename Executor>
class awaitable_async_op<
    Signature,
    sluice::detail::operation<Waiter, QueueExecutor, Form, Limit>,
    Executor>
    : public sluice::detail::awaiter<
          sluice::detail::awaitable_waiter<
              sluice::detail::operation<Waiter, QueueExecutor, Form, Limit>,
              Executor>,
          sluice::detail::operation<Waiter, QueueExecutor, Form, Limit>&>
{
public:
    awaitable_async_op(
        sluice::detail::operation<Waiter, QueueExecutor, Form, Limit>&& awaited,
        awaitable_frame_base<Executor>* awaiting
    )
        : awaitable_async_op::awaiter(
              std::move(awaited),
              sluice::detail::suspended_coroutine<Executor>::is_cancelled(*awaiting)
          )
    {
    }
};

}  // namespace boost::asio::detail

#endif
