// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/budget.hpp>
#include <sluice/detail/post.hpp>
#include <sluice/detail/suspendable.hpp>
#include <sluice/detail/wait_hub.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <utility>

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine that is not Asio's. It resumes on
// the executor of the coroutine's promise, if that has one, and else on the executor of the
// queue. Its frame belongs to somebody else and may be destroyed at any time while it is
// suspended, also when the resumption is on its way; that is a cancellation.
template <class Operation>
class coroutine_waiter final
    : public suspendable<typename Operation::waiter, typename Operation::limit_type>
{
    using waiter = typename Operation::waiter;
    using base = suspendable<waiter, typename Operation::limit_type>;

public:
    explicit coroutine_waiter(Operation& operation)
        : base(std::move(operation).take_arguments())
    {
    }

    ~coroutine_waiter()
    {
        base::end(wait_hub::deliveries::may_run);
        end_wait();
    }

    // False if the operation is complete and the coroutine goes on at once.
    template <class Promise>
    bool begin_wait(
        std::coroutine_handle<Promise> coroutine,
        const Operation& operation,
        delivery how
    )
    {
        executor_ = boost::asio::prefer(
            executor_of(coroutine.promise(), operation),
            boost::asio::execution::outstanding_work.tracked
        );
        link_ = std::make_shared<link>(coroutine, this);
        const patience waits = base::connect(executor_, operation.limit());
        if constexpr (requires { coroutine.promise().get_cancellation_slot(); })
            slot_ = coroutine.promise().get_cancellation_slot();
        if (slot_.is_connected())
            slot_.template emplace<cancel_hook<waiter>>(*this);
        const bool complete = base::start(how, waits);
        if (!complete) {
            budget::reset();
            wake_policy::run_ends();
        }
        return !complete;
    }

    void end_wait() noexcept
    {
        base::disconnect();
        if (link_)
            link_->operation = nullptr;
        link_.reset();
        if (slot_.is_connected())
            slot_.clear();
        slot_ = {};
        executor_ = {};
    }

private:
    // Between the frame and the resumption that is on its way to it. Both ends are used on
    // the coroutine's executor only, so whichever comes first is seen by the other.
    struct link
    {
        link(std::coroutine_handle<> waiting, coroutine_waiter* its_operation) noexcept
            : coroutine(waiting), operation(its_operation)
        {
        }

        std::coroutine_handle<> coroutine;
        coroutine_waiter* operation;  // null once the frame is destroyed
        post_memory memory;  // here, because the frame may be destroyed too early
    };

    template <class Promise>
    static boost::asio::any_io_executor executor_of(
        Promise& promise,
        const Operation& operation
    )
    {
        if constexpr (requires {
                          {
                              promise.get_executor()
                          } -> std::convertible_to<boost::asio::any_io_executor>;
                      })
            return promise.get_executor();
        else
            return operation.get_executor();
    }

    // What is posted to the executor. Does nothing if the frame was destroyed before; if the
    // executor drops it uncalled, its context dies.
    class resumption
    {
    public:
        explicit resumption(std::shared_ptr<link> target) noexcept
            : target_(std::move(target))
        {
        }

        resumption(resumption&&) noexcept = default;

        ~resumption()
        {
            if (target_ && target_->operation != nullptr)
                target_->operation->abandon();
        }

        void operator()()
        {
            const auto target = std::move(target_);
            if (target->operation == nullptr)
                return;
            wake_policy::run_ends();
            target->operation->finish_delivery();
            target->coroutine.resume();
        }

    private:
        std::shared_ptr<link> target_;
    };

    void deliver() noexcept override
    {
        const auto executor = executor_;
        post_memory& memory = link_->memory;
        detail::post(executor, resumption(link_), memory);
    }

    // The context dies, and nothing of it may be used any more. The frame is not ours to
    // destroy: it stays suspended until its owner destroys it. What it was handed goes back.
    void orphan() noexcept override
    {
        if (slot_.is_connected())
            slot_.clear();
    }

    void abandon() noexcept override
    {
        base::forget(wait_hub::deliveries::over);
        base::disconnect();
        executor_ = {};
    }

    boost::asio::cancellation_slot slot_;    // of the promise, if that has one
    boost::asio::any_io_executor executor_;  // while suspended; keeps the context busy
    std::shared_ptr<link> link_;
};

}  // namespace sluice::detail
