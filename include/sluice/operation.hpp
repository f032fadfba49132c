// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaitable_waiter.hpp>
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/coroutine_waiter.hpp>
#include <sluice/detail/awaiting/destroyed_twice.hpp>
#include <sluice/detail/awaiting/handler_op.hpp>
#include <sluice/detail/awaiting/link_check.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/async_result.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace sluice {

/// An operation that has not been started: what most awaitable members return.
/**
 * It does nothing until it is awaited, in an asio::awaitable or in any other coroutine type, or
 * called with a completion token. It can be started once: `co_await queue.dequeue()`, or
 * `co_await std::move(op)` for one that was stored.
 *
 * @par Example
 * @code
 * auto [error, word] = co_await words.dequeue().within(50ms).as_tuple();
 * @endcode
 *
 * @par Cancellation     an operation that ends while it waits, for whatever reason, takes nothing
 *                       and inserts nothing.
 * @par Object lifetime  what made it, a queue for instance, must live until it is started; the
 *                       member that made it says what happens if that is destroyed later.
 * @par Thread safety    distinct objects: safe. Shared objects: unsafe.
 *
 * The template parameters are unspecified: use `auto`.
 */
template <
    class Waiter,
    class Executor,
    detail::result_form Form = detail::result_form::value,
    class Limit = detail::no_limit>
class [[nodiscard("an operation does nothing until it is awaited: write co_await"
)]] operation : public detail::unstarted<Waiter, Executor, Form, Limit>
{
    using base = detail::unstarted<Waiter, Executor, Form, Limit>;
    using limited = operation<Waiter, Executor, Form, detail::limited<Limit>>;
    using lingering =
        operation<typename Waiter::lingering, Executor, Form, detail::linger_limit>;

public:
    /// @cond
    using base::base;
    /// @endcond

    /// Takes over an operation that was stored.
    operation(operation&&) = default;

    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;

    /// The same operation, which fails with errc::timed_out if it has to wait for longer.
    /**
     * One that completes immediately succeeds whatever the duration. The result is of another type,
     * which has room for a deadline. Where there is a limit only now and then, `duration.max()`
     * stands for none.
     */
    template <class Rep, class Period>
    limited within(std::chrono::duration<Rep, Period> duration) &&
    {
        return limited_to(detail::time_limit::within(duration));
    }

    /// The same operation, which fails with errc::timed_out if it still waits at `when`.
    template <class Clock, class Duration>
    limited until(std::chrono::time_point<Clock, Duration> when) &&
    {
        return limited_to(detail::time_limit::until(when));
    }

    /// The same batch, which ends with fewer elements `duration` after the first of them came.
    /**
     * Of dequeue_up_to() only. The time begins when the operation is at the head of the wait list
     * and there is an element for it. When it is over, the operation completes with what there is,
     * in place of waiting for the full number. Zero or less: as dequeue_some(). A limit, within()
     * or until(), then bounds the wait for the first element, and nothing else; one that has passed
     * takes what is there. It cannot be a branch of a select.
     */
    template <class Rep, class Period>
        lingering linger(std::chrono::duration<Rep, Period> duration) &&
        requires(!std::is_void_v<typename Waiter::lingering>) {
            auto [core, count] = this->take_arguments();
            return {
                {core, count},
                this->get_executor(),
                {this->limit(), detail::time_limit::within(duration)}
            };
        }

        /// The same operation, which reports failures in a tuple instead of throwing:
        /// `auto [error, item] = co_await queue.dequeue().as_tuple();`
        operation<Waiter, Executor, detail::result_form::tuple, Limit> as_tuple() &&
    {
        return {this->take_arguments(), this->get_executor(), this->limit()};
    }

    /// Starts the operation with a completion token.
    template <boost::asio::completion_token_for<typename base::signature> Token>
    auto operator()(Token&& token) &&
    {
        return detail::initiate<Waiter>(
            this->take_arguments(),
            this->get_executor(),
            std::forward<Token>(token),
            this->limit()
        );
    }

    /// Awaits the operation in a coroutine that is not an asio::awaitable.
    auto operator co_await() &&
    {
        // A promise has no state that says whether it was cancelled, only a slot.
        constexpr bool is_cancelled = false;
        return detail::awaiter<detail::coroutine_waiter<operation>, operation>(
            std::move(*this),
            is_cancelled
        );
    }

    /// @cond
    template <boost::asio::completion_token_for<typename base::signature> Token>
    auto operator()(Token&& token) &
    {
        static_assert(
            detail::is_first_asio_probe<Token>,
            "an operation is started once: write std::move(operation)"
        );
        return std::move(*this)(std::forward<Token>(token));
    }
    /// @endcond

private:
    limited limited_to(detail::time_limit limit)
    {
        return {
            this->take_arguments(),
            this->get_executor(),
            this->limit().replaced_by(limit)
        };
    }
};

/// An operation that refers to its arguments: what enqueue() and enqueue_many() return.
/**
 * The argument may be a temporary, so the operation must be awaited in the expression that makes
 * it: `co_await queue.enqueue(std::move(item))`. It cannot be moved, and not be called with a
 * completion token; use async_enqueue() and async_enqueue_many() for that. Members return it as
 * a constant, which is how the compiler tells it from one that was stored, and refuses that. What
 * no compiler refuses is a reference and a constant of its own, whatever they are then given to:
 * write neither `auto&& op = queue.enqueue(...)` nor `const auto op = queue.enqueue(...)`, and
 * return none from a function as `decltype(auto)`.
 *
 * Otherwise it is as operation.
 */
template <
    class Waiter,
    class Executor,
    detail::result_form Form = detail::result_form::value,
    class Limit = detail::no_limit>
class [[nodiscard("an operation does nothing until it is awaited: write co_await"
)]] borrowing_operation : public detail::unstarted<Waiter, Executor, Form, Limit>
{
    using base = detail::unstarted<Waiter, Executor, Form, Limit>;
    using limited = const borrowing_operation<Waiter, Executor, Form, detail::time_limit>;

public:
    /// @cond
    using base::base;
    /// @endcond

    borrowing_operation(const borrowing_operation&) = delete;
    borrowing_operation& operator=(const borrowing_operation&) = delete;

    /// @copydoc operation::within()
    template <class Rep, class Period>
    limited within(std::chrono::duration<Rep, Period> duration) const&&
    {
        return limited_to(detail::time_limit::within(duration));
    }

    /// @copydoc operation::until()
    template <class Clock, class Duration>
    limited until(std::chrono::time_point<Clock, Duration> when) const&&
    {
        return limited_to(detail::time_limit::until(when));
    }

    /// The same operation, which reports failures in a tuple instead of throwing:
    /// `auto [error, count] = co_await queue.enqueue_many(rows).as_tuple();`
    const borrowing_operation<Waiter, Executor, detail::result_form::tuple, Limit>
    as_tuple() const&&
    {
        return {this->take_arguments(), this->get_executor(), this->limit()};
    }

    /// Awaits the operation in a coroutine that is not an asio::awaitable.
    auto operator co_await() const&&
    {
        // A promise has no state that says whether it was cancelled, only a slot.
        constexpr bool is_cancelled = false;
        return detail::awaiter<
            detail::coroutine_waiter<const borrowing_operation>,
            const borrowing_operation&>(std::move(*this), is_cancelled);
    }

    /// @cond
    // Asio asks what would happen if this were called.
    template <boost::asio::completion_token_for<typename base::signature> Token>
    auto operator()(Token&& token) const&&
    {
        static_assert(
            detail::is_asio_probe<Token>,
            "this operation refers to its argument, which may be gone when it completes: "
            "co_await it in the expression that makes it, or call the async_ member"
        );
        return detail::initiate<Waiter>(
            this->take_arguments(),
            this->get_executor(),
            std::forward<Token>(token),
            this->limit()
        );
    }

    // One that was stored, which is not constant.
    template <class Rep, class Period>
    void within(std::chrono::duration<Rep, Period>) && = delete;
    template <class Clock, class Duration>
    void until(std::chrono::time_point<Clock, Duration>) && = delete;
    void as_tuple() && = delete;
    void operator co_await() && = delete;

    template <boost::asio::completion_token_for<typename base::signature> Token>
    auto operator()(Token&& token) &
    {
        return std::move(*this)(std::forward<Token>(token));
    }

    template <boost::asio::completion_token_for<typename base::signature> Token>
    auto operator()(Token&& token) &&
    {
        static_assert(
            detail::is_first_asio_probe<Token>,
            "this operation refers to its argument, so it cannot be stored: "
            "co_await it in the expression that makes it"
        );
        return std::move(std::as_const(*this))(std::forward<Token>(token));
    }
    /// @endcond

private:
    limited limited_to(detail::time_limit limit) const
    {
        return {this->take_arguments(), this->get_executor(), limit};
    }
};

namespace detail {

// What a member returns.
template <class Waiter, class Executor>
using operation_of = std::conditional_t<
    Waiter::borrows,
    const borrowing_operation<Waiter, Executor>,
    operation<Waiter, Executor>>;

}  // namespace detail

}  // namespace sluice
