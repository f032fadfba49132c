// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/task_value.hpp>
#include <sluice/coordination/detail/task_waiters.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/detail/awaiting/destroyed_twice.hpp>
#include <sluice/fwd.hpp>
#include <sluice/operation.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <string>
#include <utility>

namespace sluice {

/// A task of a coordinator: to wait for its end, to cancel it alone, to ask how far it is.
/**
 * coordinator::spawn() returns one. It is no owner: the task, its coordinator and the others behave
 * as if there were none. A task that gives a T has a `task_handle<T>`, which is this and has a
 * result() besides; so a `std::vector<task_handle<>>` holds tasks of all kinds.
 *
 * @par Example
 * @code
 * sluice::task_handle<> reader = coord.spawn("reader", read(lines));
 * // ...
 * reader.cancel();
 * co_await reader.join().within(1s);
 * @endcode
 *
 * @par Object lifetime  may outlive the coordinator, the task and the execution context. It keeps
 *                       the result of the task and the executor of the coordinator. So if that
 *                       is a strand, the context must outlive the handle.
 * @par Thread safety    distinct objects: safe, also copies of one handle. Shared objects: safe for
 *                       calls of const members, which all but assignments are.
 */
template <>
class task_handle<void>
{
    template <class Waiter>
    using operation = sluice::operation<Waiter, boost::asio::any_io_executor>;

public:
    /// The name that the task was given.
    [[nodiscard]] const std::string& name() const noexcept { return record_->name(); }

    /// How far the task is.
    [[nodiscard]] task_state state() const noexcept { return scope_->state_of(*record_); }

    /// Cancels what the task awaits, and nothing else.
    /**
     * As a stop does, for one task: on its strand, and not within this call. A task that has not
     * begun does not begin. If the task ends with `asio::error::operation_aborted` then, that is no
     * error of the coordinator, and stops no other task. Does nothing to a task that has ended.
     *
     * @param type  emitted to the coroutine as by a cancellation_signal; a coroutine reacts to
     *              terminal ones, and to others if it has said so with
     *              asio::this_coro::reset_cancellation_state().
     * @par Preconditions     none.
     * @par Exception safety  no-throw. Takes no memory, as a stop.
     * @par Thread safety     any thread, also the task itself. Never waits.
     */
    void cancel(
        boost::asio::cancellation_type type = boost::asio::cancellation_type::terminal
    ) const noexcept
    {
        scope_->cancel(*record_, type);
    }

    /// Waits until the task has ended, however it ended.
    /**
     * Also a branch for select(). What the task threw is not thrown here; result() does.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         not awaited in that task, which would wait for itself.
     * @par Completion signature  `void(error_code)`
     * @par Completion            at once if the task has ended; otherwise as if by asio::post on
     *                            the associated executor.
     * @par Errors
     * @li errc::timed_out  the limit passed; the task goes on
     * @li asio::error::operation_aborted  the wait was cancelled; the task goes on
     * @par Cancellation          terminal, partial, total: all supported; the task is not
     *                            cancelled.
     * @par Ordering              told in the order in which they began to wait; after the stop that
     *                            an exception of the task requests, and before coordinator::join().
     * @par Object lifetime       `*this` and the coordinator may be destroyed while this waits.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    operation<detail::task_end_waiter> join() const&
    {
        return {waits_for(), scope_->get_executor()};
    }

    /// Waits until the task has ended, and throws what it threw.
    /**
     * As join() in all else.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Completion signature  `void(std::exception_ptr)`
     * @par Errors
     * @li what the task ended with, each time
     * @li asio::error::operation_aborted  the task was stopped before it began, or its execution
     *     context was destroyed; or the wait was cancelled
     * @li errc::timed_out  the limit passed; the task goes on
     */
    operation<detail::task_result_waiter<void, void>> result() const&
    {
        return {{waits_for()}, scope_->get_executor()};
    }

#ifdef SLUICE_REFUSE_AGGREGATE_TEMPORARIES
    /// @cond
    // A handle that spawn() returns in a co_await expression: the task would be a temporary, too.
    template <class Self = task_handle>
    operation<detail::task_end_waiter> join() const&&
    {
        static_assert(detail::never<Self>, SLUICE_TASK_DESTROYED_TWICE);
        return join();
    }

    template <class Self = task_handle>
    operation<detail::task_result_waiter<void, void>> result() const&&
    {
        static_assert(detail::never<Self>, SLUICE_TASK_DESTROYED_TWICE);
        return result();
    }
    /// @endcond
#endif

protected:
    /// @cond
    task_handle(
        boost::intrusive_ptr<detail::coordinator_state> scope,
        detail::record_ptr record,
        const detail::value_ptr<void>& /*none*/ = nullptr
    ) noexcept
        : scope_(std::move(scope)), record_(std::move(record))
    {
    }

    [[nodiscard]] detail::task_waiter::arguments waits_for() const
    {
        return {scope_, record_};
    }

    boost::intrusive_ptr<detail::coordinator_state> scope_;
    detail::record_ptr record_;
    /// @endcond

private:
    friend class coordinator;
};

/// The same for a task that gives a T, which result() gives once.
template <class T>
class task_handle
#ifndef DOXYGEN  // which takes the specialisation for the class itself
    : public task_handle<void>
#endif
{
    template <class Waiter>
    using operation = sluice::operation<Waiter, boost::asio::any_io_executor>;
    using waiter = detail::task_result_waiter<T, detail::given_by_handle<T>>;

public:
    /// Waits until the task has ended; gives its result or throws what it threw.
    /**
     * The result is moved out, so it is given once, to the first wait. A result() that is
     * cancelled leaves it. As task_handle<>::result() in all else. T needs no default constructor.
     *
     * @return an operation; `co_await` gives a T.
     * @par Completion signature  `void(std::exception_ptr, std::optional<T>)`
     * @par Errors
     * @li what the task ended with, each time
     * @li errc::invalid_argument  the result was given before
     * @li asio::error::operation_aborted  the task was stopped before it began, or its execution
     *     context was destroyed; or the wait was cancelled
     * @li errc::timed_out  the limit passed; the task goes on
     */
    operation<waiter> result() const&
    {
        return {{waits_for(), value_}, scope_->get_executor()};
    }

#ifdef SLUICE_REFUSE_AGGREGATE_TEMPORARIES
    /// @cond
    template <class Self = task_handle>
    operation<waiter> result() const&&
    {
        static_assert(detail::never<Self>, SLUICE_TASK_DESTROYED_TWICE);
        return result();
    }
    /// @endcond
#endif

private:
    friend class coordinator;

    task_handle(
        boost::intrusive_ptr<detail::coordinator_state> scope,
        detail::record_ptr record,
        detail::value_ptr<T> value
    ) noexcept
        : task_handle<void>(std::move(scope), std::move(record)), value_(std::move(value))
    {
    }

    detail::value_ptr<T> value_;
};

}  // namespace sluice
