// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/task_value.hpp>
#include <sluice/detail/awaiting/all_cancellations.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// What spawn() makes of its argument: the awaitable<void> of a supervised task.

template <class Coroutine>
struct awaitable_traits;

template <class T, class Executor>
struct awaitable_traits<boost::asio::awaitable<T, Executor>>
{
    using result = T;
};

template <class T>
concept any_awaitable = requires { typename awaitable_traits<T>::result; };

// A coroutine, or a callable that starts one.
template <class Task>
concept task_source = any_awaitable<Task> || (std::invocable<Task&> &&
                                              any_awaitable<std::invoke_result_t<Task&>>);

template <any_awaitable Coroutine>
Coroutine start_task(Coroutine coroutine)
{
    return coroutine;
}

// Keeps the callable, and so what it captures, until the task has ended.
template <class Body>
    requires std::invocable<Body&>
auto start_task(Body body) -> std::invoke_result_t<Body&>
{
    co_return co_await body();
}

template <class Task>
using task_of = decltype(start_task(std::declval<Task>()));

template <class Task>
using result_of_task = typename awaitable_traits<task_of<Task>>::result;

// The executor of a coroutine whose type says which: `own`, or a new strand over it.
template <class Executor>
Executor executor_of_type(const boost::asio::any_io_executor& own)
{
    if constexpr (std::same_as<Executor, boost::asio::any_io_executor>)
        return own;
    else if (const auto* const same = own.target<Executor>())
        return *same;
    else if constexpr (requires { typename Executor::inner_executor_type; })  // a strand
        return Executor(executor_of_type<typename Executor::inner_executor_type>(own));
    throw system_error(
        errc::invalid_argument,
        "the executor of the task is not of the type that the coroutine needs"
    );
}

template <class T>
boost::asio::awaitable<T> on_any_executor(
    boost::asio::awaitable<T> coroutine,
    const boost::asio::any_io_executor& /*own*/
)
{
    return coroutine;
}

template <class T, class Executor>
boost::asio::awaitable<T> run_on(
    Executor executor,
    boost::asio::awaitable<T, Executor> coroutine
)
{
    co_await heed_all_cancellations();
    co_return co_await boost::asio::co_spawn(
        executor,
        std::move(coroutine),
        boost::asio::use_awaitable
    );
}

// The supervised task only waits for the coroutine, and passes the cancellation on. What it needs
// is looked for at once, so that spawn() can refuse.
template <class T, class Executor>
boost::asio::awaitable<T> on_any_executor(
    boost::asio::awaitable<T, Executor> coroutine,
    const boost::asio::any_io_executor& own
)
{
    return run_on(executor_of_type<Executor>(own), std::move(coroutine));
}

template <class Executor>
boost::asio::awaitable<void, Executor> keep_result(
    const value_ptr<void>& /*none*/,
    boost::asio::awaitable<void, Executor> coroutine
)
{
    return coroutine;
}

template <class T, class Executor>
boost::asio::awaitable<void, Executor> keep_result(
    value_ptr<T> value,
    boost::asio::awaitable<T, Executor> coroutine
)
{
    value->set(co_await std::move(coroutine));
}

}  // namespace sluice::detail
