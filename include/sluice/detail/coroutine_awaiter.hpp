// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/budget.hpp>
#include <sluice/detail/post.hpp>
#include <sluice/detail/suspension.hpp>
#include <sluice/detail/wait_hub.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine that is not Asio's. It resumes on
// the executor of the coroutine's promise, if that has one, and else on the executor of the
// queue. Its frame belongs to somebody else and may be destroyed at any time while it is
// suspended, also when the resumption is on its way; that is a cancellation.
template <class Operation>
class coroutine_waiter final : public Operation::waiter
{
    using base = typename Operation::waiter;
    using fallback_executor = typename Operation::executor_type;

public:
    coroutine_waiter(Operation& operation, const fallback_executor& fallback)
        : base(std::move(operation).take_arguments()),
          fallback_(fallback),
          limit_(operation.limit())
    {
    }

    // The deadline first: when it is disarmed no expiry is running that might deliver.
    ~coroutine_waiter()
    {
        suspension_.reset();
        base::forget(wait_hub::deliveries::may_run);
        end_wait();
    }

    [[nodiscard]] static bool is_cancelled(const fallback_executor& /*fallback*/) noexcept
    {
        return false;  // a promise has no state to ask, only a slot
    }

    // False if the operation is complete and the coroutine goes on at once.
    template <class Promise>
    bool begin_wait(std::coroutine_handle<Promise> coroutine, delivery how)
    {
        base::retain();
        executor_ = boost::asio::prefer(
            executor_of(coroutine.promise()),
            boost::asio::execution::outstanding_work.tracked
        );
        link_ = std::make_shared<link>(coroutine, this);
        suspension_.emplace(*this).connect(executor_, limit_);
        if constexpr (requires { coroutine.promise().get_cancellation_slot(); })
            slot_ = coroutine.promise().get_cancellation_slot();
        if (slot_.is_connected())
            slot_.template emplace<cancel_hook<base>>(*this);
        const patience waits = limit_.has_passed() ? patience::gives_up : patience::waits;
        const bool complete = base::start(how, waits);
        if (!complete) {
            budget::reset();
            wake_policy::run_ends();
        }
        return !complete;
    }

    void end_wait() noexcept
    {
        suspension_.reset();
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
    boost::asio::any_io_executor executor_of(Promise& promise) const
    {
        if constexpr (requires {
                          {
                              promise.get_executor()
                          } -> std::convertible_to<boost::asio::any_io_executor>;
                      })
            return promise.get_executor();
        else
            return fallback_;
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
        suspension_.reset();
        executor_ = {};
    }

    const fallback_executor& fallback_;
    time_limit limit_;
    boost::asio::cancellation_slot slot_;    // of the promise, if that has one
    boost::asio::any_io_executor executor_;  // while suspended; keeps the context busy
    std::optional<suspension<base>> suspension_;  // made when it is about to wait
    std::shared_ptr<link> link_;
};

}  // namespace sluice::detail
