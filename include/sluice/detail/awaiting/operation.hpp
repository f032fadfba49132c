// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaitable_waiter.hpp>
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/coroutine_waiter.hpp>
#include <sluice/detail/awaiting/handler_op.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/async_result.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace sluice::detail {

/// An operation that has not been started; what the awaitable members of queues and
/// coordinators return.
/**
 * It does nothing until it is awaited, in any coroutine type, or called with a completion
 * token. It refers to its queue or coordinator and to its arguments, so it should be used
 * in the expression that makes it.
 *
 * @par Cancellation  An operation given up while it waits, for whatever reason, takes
 *                    nothing and inserts nothing.
 */
template <
    class Waiter,
    class Executor,
    result_form Form = result_form::value,
    class Limit = no_limit>
class [[nodiscard]] operation
{
public:
    using waiter = Waiter;
    using arguments = typename Waiter::arguments;
    using signature = typename Waiter::signature;
    using executor_type = Executor;
    using limit_type = Limit;
    static constexpr result_form form = Form;

    operation(arguments&& args, const Executor& executor, Limit limit = {})
        : arguments_(std::move(args)), executor_(&executor), limit_(limit)
    {
    }

    /// The same operation, which fails with `errc::timed_out` if it has to wait longer than
    /// `duration`. One that can proceed succeeds whatever the duration.
    /**
     * It is of another type, because it has room for its deadline. Where there is a limit only
     * now and then, `duration.max()` stands for none.
     */
    template <class Rep, class Period>
    auto within(std::chrono::duration<Rep, Period> duration) &&
    {
        return std::move(*this).limited(time_limit::within(duration));
    }

    /// The same operation, which fails with `errc::timed_out` if it still waits at `when`.
    template <class Clock, class Duration>
    auto until(std::chrono::time_point<Clock, Duration> when) &&
    {
        return std::move(*this).limited(time_limit::until(when));
    }

    /// The same operation, which reports failures in a tuple instead of throwing:
    /// `auto [ec, item] = co_await queue.dequeue().as_tuple();`
    operation<Waiter, Executor, result_form::tuple, Limit> as_tuple() &&
    {
        return {std::move(arguments_), *executor_, limit_};
    }

    /// Starts the operation with any completion token.
    template <boost::asio::completion_token_for<signature> Token>
    auto operator()(Token&& token) &&
    {
        return boost::asio::async_initiate<Token, signature>(
            initiation(*executor_, limit_),
            token,
            std::move(arguments_)
        );
    }

    /// Awaits the operation in a coroutine that is not an asio::awaitable.
    auto operator co_await() &&
    {
        // A promise has no state that says whether it was cancelled, only a slot.
        constexpr bool is_cancelled = false;
        return awaiter<coroutine_waiter<operation>, operation>(
            std::move(*this),
            is_cancelled
        );
    }

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const Executor& get_executor() const noexcept { return *executor_; }

    // For select and for the awaiters.
    [[nodiscard]] arguments& own_arguments() noexcept { return arguments_; }

    [[nodiscard]] arguments&& take_arguments() && noexcept
    {
        return std::move(arguments_);
    }

    [[nodiscard]] const Limit& limit() const noexcept { return limit_; }

private:
    class initiation
    {
    public:
        using executor_type = Executor;

        initiation(const Executor& executor, const Limit& limit)
            : executor_(executor), limit_(limit)
        {
        }

        [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

        template <class Handler>
        void operator()(Handler&& handler, arguments&& args) const
        {
            handler_op<Waiter, std::decay_t<Handler>, Executor, Limit>::initiate(
                std::move(args),
                std::decay_t<Handler>(std::forward<Handler>(handler)),
                executor_,
                limit_
            );
        }

    private:
        Executor executor_;
        [[no_unique_address]] Limit limit_;
    };

    auto limited(time_limit limit) &&
    {
        return operation<Waiter, Executor, Form, time_limit>(
            std::move(arguments_),
            *executor_,
            limit
        );
    }

    arguments arguments_;
    const Executor* executor_;
    [[no_unique_address]] Limit limit_;
};

}  // namespace sluice::detail
