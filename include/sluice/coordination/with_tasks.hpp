// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/detail/run_scope.hpp>
#include <sluice/coordination/detail/task_body.hpp>
#include <sluice/detail/awaiting/destroyed_twice.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice {
namespace detail {

// Where the tasks of a scope run, and what else stops them.
struct scope_place
{
    boost::asio::any_io_executor executor;
    boost::intrusive_ptr<coordinator_state> parent = nullptr;
    coordinator_options options = {};
};

// What with_tasks() does with a coordinator that other code does not.
struct scope_access
{
    static boost::intrusive_ptr<coordinator_state> state_of(const coordinator& tasks)
    {
        return tasks.state_;
    }

    static scope_place place_in(const coordinator& parent)
    {
        return {parent.get_executor(), parent.state_, parent.state_->options()};
    }

    static coordinator open(scope_place place)
    {
        return {place.executor, std::move(place.options), place.parent.get()};
    }
};

template <std::convertible_to<boost::asio::any_io_executor> Executor>
scope_place place_of(const Executor& executor)
{
    return {boost::asio::any_io_executor(executor)};
}

template <context_with<boost::asio::any_io_executor> Context>
    requires(!std::derived_from<Context, coordinator>)
scope_place place_of(Context& context)
{
    return {boost::asio::any_io_executor(context.get_executor())};
}

inline scope_place place_of(coordinator& parent)
{
    return scope_access::place_in(parent);
}

template <class Place>
concept has_place = requires(Place&& place) { detail::place_of(place); };

template <class Body>
using returned_by = std::invoke_result_t<Body&, coordinator&>;

template <class Body>
concept scope_body = std::invocable<Body&, coordinator&>;

// What a body gives: a coroutine, or a function that only starts tasks.
template <class Returned>
struct result_of_body
{
    static_assert(
        !std::is_reference_v<Returned>,
        "the body returns a reference, whose target may be gone: return a value or a "
        "pointer"
    );
    static_assert(
        !any_awaitable<Returned>,
        "the body is a coroutine with an executor of its own type: let it return "
        "boost::asio::awaitable<T>"
    );
    using type = std::remove_reference_t<Returned>;
};

template <class T>
struct result_of_body<boost::asio::awaitable<T>>
{
    using type = T;
};

template <class Body>
using body_result = typename result_of_body<returned_by<Body>>::type;

// A coroutine in any case, so that all of the body runs inside of the scope.
template <class Body>
boost::asio::awaitable<body_result<Body>> start_body(Body& body, coordinator& tasks)
{
    if constexpr (any_awaitable<returned_by<Body>>)
        co_return co_await std::invoke(body, tasks);
    else
        co_return std::invoke(body, tasks);
}

template <class T>
boost::asio::awaitable<void> keep_result(
    boost::asio::awaitable<T> body,
    std::optional<T>& result
)
{
    result.emplace(co_await std::move(body));
}

// The body and the coordinator are kept until all have ended.
template <class Body>
boost::asio::awaitable<body_result<Body>> open_scope(scope_place place, Body body)
{
    coordinator tasks(scope_access::open(std::move(place)));
    const auto scope = scope_access::state_of(tasks);
    if constexpr (std::is_void_v<body_result<Body>>)
        co_await run_scope(scope, start_body(body, tasks));
    else {
        std::optional<body_result<Body>> result;
        co_await run_scope(scope, keep_result(start_body(body, tasks), result));
        if (!result)
            throw system_error(errc::stop_requested, "with_tasks: there is no result");
        co_return std::move(*result);
    }
}

}  // namespace detail

/// Runs a body and the tasks that it starts, and ends when all of them have ended.
/**
 * A task that outlives what it refers to is the mistake that every group of tasks invites: one
 * exception between spawn() and join() is enough. This is a scope for tasks. However it is left,
 * by a return, an exception, a stop or a cancellation, no task of it runs afterwards.
 *
 * @par Example
 * @code
 * sluice::fifo_queue<line> lines{pool, {.capacity = 64}};
 *
 * const int count = co_await sluice::with_tasks(
 *     pool,
 *     [&](sluice::coordinator& tasks) -> awaitable<int> {
 *         tasks.spawn("reader", read(file, lines));
 *         co_return co_await parse(lines);
 *     }
 * );
 * @endcode
 *
 * @par What tasks may refer to
 * What is declared outside of the body, and what the body captures: it is kept until all have
 * ended. The locals of the body are not: they die when it returns, and its tasks may go on.
 * @code
 * sluice::fifo_queue<line> lines{pool, {.capacity = 64}};      // right
 * co_await sluice::with_tasks(pool, [&](auto& tasks) -> awaitable<void> {
 *     sluice::fifo_queue<line> more{pool, {.capacity = 64}};   // wrong: dies before the task
 *     tasks.spawn("reader", read(file, more));
 *     co_return;
 * });
 * @endcode
 * A `tasks.join()` at the end of the body does not make it right, because a stop cancels that.
 *
 * @par The body
 * It is part of the group: it runs on a strand of its own over the executor, tasks() lists it as
 * "body", and a stop cancels what it awaits. Only `tasks.join()` does not wait for it, so that it
 * may be awaited in the body. When the body returns, nothing is stopped: the scope waits for the
 * tasks. A body that is done with its tasks says `tasks.request_stop()`.
 *
 * @par Ends
 * @li A task fails, or the body throws: the others are stopped. When all have ended the first
 *     error is thrown. An exception of the body that is no error, such as errc::end_of_queue,
 *     stops the others as well, and is thrown if there is no error.
 * @li A stop without an error, by request_stop(), by a signal or by the parent: the scope ends
 *     without one. If the body has a result to give and did not give it, errc::stop_requested is
 *     thrown.
 * @li A cancellation of the coroutine that awaits this: a stop, too. When all have ended, the first
 *     error is thrown, otherwise `operation_aborted`, also if the body has given a result.
 *
 * @par Tasks that do not end
 * Such a task keeps the scope, because leaving it would take away what the task refers to. It is
 * reported to coordinator_options::on_overdue after `overdue_after`. When the grace period is over
 * it is reported once more, without an on_overdue on the standard error output. If it ends after
 * all, errc::tasks_still_running is thrown, unless there is an error. Give work that ignores a stop
 * a limit with within(); to give up, end the process in on_overdue with `std::_Exit`. A coordinator
 * without a scope can be left with tasks that run.
 *
 * @par Scopes in scopes
 * A scope that is awaited in a task or in a body ends with it, by the cancellation. One that is
 * made with a coordinator in place of an executor is besides listed and waited for by that, and
 * stopped with it. Its errors go to the coroutine that awaits it, which may handle them; a
 * coordinator{parent} reports them to its parent as well.
 *
 * GCC before 13 refuses a body that is a lambda, owns something, as a copy of a string, and is made
 * or moved here: name it and pass it without `std::move`, or `std::ref` of it.
 *
 * @param place  where the tasks run: an executor, or anything that has one, as an io_context_pool;
 *               or a coordinator, whose executor and options the scope has then.
 * @param body   called once with the coordinator of the scope, a `sluice::coordinator&`; gives an
 *               asio::awaitable of any result, or is a function that only starts tasks. Kept
 *               until all have ended.
 * @return what the body gives.
 * @throws the first error.
 * @throws system_error  errc::stop_requested if the coordinator was stopped before, or if there is
 *                       no result; errc::tasks_still_running; `operation_aborted`.
 * @par Cancellation     terminal, partial, total: a stop. Cancelled before it begins it calls no
 *                       body.
 * @par Object lifetime  a coordinator as the place must live until this is first awaited. If the
 *                       execution context is destroyed meanwhile, the tasks are destroyed before
 *                       the coroutine that awaits this. If they run in another context than that
 *                       coroutine, destroy theirs first.
 * @par Exception safety if there is no memory to begin, nothing begins.
 * @par Thread safety    the coroutine that awaits this waits meanwhile, so the body may use what
 *                       that owns; tasks and the body run at the same time.
 */
template <class Place, class Body>
    requires detail::has_place<Place> && detail::scope_body<std::decay_t<Body>>
[[nodiscard]] auto with_tasks(Place&& place, Body&& body)
    -> boost::asio::awaitable<detail::body_result<std::decay_t<Body>>>
{
    static_assert(detail::destroyed_once<Body>, SLUICE_DESTROYED_TWICE);
    return detail::open_scope<std::decay_t<Body>>(
        detail::place_of(place),
        std::forward<Body>(body)
    );
}

/// The same with options: grace period, report of overdue tasks, and what a clean stop is.
/**
 * GCC before 13 destroys options that are made in the `co_await` expression twice, which matters
 * for a callable that owns something: name such options before.
 */
template <class Place, class Body>
    requires detail::has_place<Place> && detail::scope_body<std::decay_t<Body>>
[[nodiscard]] auto with_tasks(Place&& place, coordinator_options options, Body&& body)
    -> boost::asio::awaitable<detail::body_result<std::decay_t<Body>>>
{
    static_assert(detail::destroyed_once<Body>, SLUICE_DESTROYED_TWICE);
    detail::scope_place there = detail::place_of(place);
    there.options = std::move(options);
    return detail::open_scope<std::decay_t<Body>>(
        std::move(there),
        std::forward<Body>(body)
    );
}

}  // namespace sluice
