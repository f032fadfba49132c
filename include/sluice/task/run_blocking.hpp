// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/destroyed_twice.hpp>
#include <sluice/error.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/executor.hpp>
#include <boost/asio/is_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice {
namespace detail {

// What a blocking function gives; with a token if it takes one.
template <class Function>
decltype(auto) call_blocking(Function& function, [[maybe_unused]] std::stop_token token)
{
    if constexpr (std::invocable<Function&, std::stop_token>)
        return std::invoke(function, std::move(token));
    else
        return std::invoke(function);
}

template <class Function>
concept blocking_function = std::invocable<Function&> ||
                            std::invocable<Function&, std::stop_token>;

template <class Function>
using blocking_result =
    decltype(call_blocking(std::declval<Function&>(), std::stop_token()));

// What went wrong, or the value; a monostate stands for no value.
template <class Result>
struct blocking_outcome
{
    using value_type = std::conditional_t<std::is_void_v<Result>, std::monostate, Result>;

    template <class Function>
    void run(Function& function, std::stop_token token) noexcept
    {
        try {
            if constexpr (std::is_void_v<Result>) {
                call_blocking(function, std::move(token));
                value.emplace();
            } else
                value.emplace(call_blocking(function, std::move(token)));
        } catch (...) {
            error = std::current_exception();
        }
    }

    std::exception_ptr error;
    std::optional<value_type> value;
};

// A call whose coroutine waits. Either a thread calls the function or a cancellation drops it. The
// coroutine goes on when that is over and its own thread has left the post to the pool: it may
// destroy the pool then. After a cancellation nothing of the call is left in the pool but *this.
template <class Result, class Function, class Handler>
struct blocking_call
{
    blocking_call(Function called, Handler waiting)
        : handler(std::move(waiting)),
          slot(boost::asio::get_associated_cancellation_slot(handler)),
          function(std::move(called))
    {
    }

    // For a thread of the pool, and for a cancellation; the first one has the function.
    [[nodiscard]] bool claim() noexcept
    {
        return !is_claimed.exchange(true, std::memory_order_relaxed);
    }

    // A function that was called is destroyed on the thread that has called it.
    void run() noexcept
    {
        outcome.run(*function, stop.get_token());
        function.reset();
    }

    // The slot is emptied where signals are emitted, and a function that was dropped is destroyed
    // where its coroutine is.
    void resume()
    {
        if (slot.is_connected())
            slot.clear();
        function.reset();
        std::move(handler)(std::move(outcome.error), std::move(outcome.value));
    }

    // The last owner of a handler posts the end of its coroutine, whose locals the function may
    // refer to. So the function goes first.
    Handler handler;
    boost::asio::associated_cancellation_slot_t<Handler> slot;
    std::optional<Function> function;
    blocking_outcome<Result> outcome;
    std::stop_source stop;
    std::atomic<bool> is_claimed = false;
    std::atomic<bool> is_half_done = false;
};

template <class Call>
void end_half(std::shared_ptr<Call> call)
{
    if (!call->is_half_done.exchange(true, std::memory_order_acq_rel))
        return;
    const auto home = boost::asio::get_associated_executor(call->handler);
    boost::asio::post(home, [call = std::move(call)] { call->resume(); });
}

template <class Call>
void cancel_blocking(std::shared_ptr<Call> call)
{
    if (!call->claim()) {
        call->stop.request_stop();
        return;
    }
    call->outcome.error = std::make_exception_ptr(
        system_error(boost::asio::error::operation_aborted, "run_blocking")
    );
    end_half(std::move(call));
}

template <class Result, class Executor, class Function, class Handler>
void start_blocking(const Executor& executor, Function function, Handler handler)
{
    using call_type = blocking_call<Result, Function, Handler>;
    auto call = std::make_shared<call_type>(std::move(function), std::move(handler));
    // The call owns the coroutine, and that the slot: a weak one, or neither would ever go.
    if (call->slot.is_connected())
        call->slot.assign([weak = std::weak_ptr(call)](boost::asio::cancellation_type) {
            if (auto called = weak.lock())
                cancel_blocking(std::move(called));
        });
    boost::asio::post(executor, [call]() mutable {
        if (!call->claim())
            return;
        call->run();
        end_half(std::move(call));
    });
    end_half(std::move(call));
}

template <class Result, class Executor, class Function>
boost::asio::awaitable<Result> await_blocking(Executor executor, Function function)
{
    using value = typename blocking_outcome<Result>::value_type;
    auto initiate = [](auto handler, const Executor& where, Function what) {
        start_blocking<Result>(where, std::move(what), std::move(handler));
    };
    auto result = co_await boost::asio::async_initiate<
        const boost::asio::use_awaitable_t<>,
        void(std::exception_ptr, std::optional<value>)>(
        std::move(initiate),
        boost::asio::use_awaitable,
        std::move(executor),
        std::move(function)
    );
    if constexpr (!std::is_void_v<Result>)
        co_return std::move(*result);
}

template <class Type>
concept any_executor = boost::asio::execution::is_executor<Type>::value ||
                       boost::asio::is_executor<Type>::value;

template <class Context>
concept has_executor = requires(Context& context) {
    { context.get_executor() } -> any_executor;
};

}  // namespace detail

/// Calls a function that blocks on another executor, and waits for its result.
/**
 * A function that blocks, to read a file or to ask a database, keeps a thread from all coroutines
 * that could run on it. Call it on a thread pool of its own; the coroutine waits meanwhile and
 * goes on where it was.
 *
 * @par Example
 * @code
 * asio::thread_pool blocking{4};
 * const std::string text =
 *     co_await sluice::run_blocking(blocking, [&] { return read_file(path); });
 *
 * co_await sluice::run_blocking(blocking, [&](std::stop_token stop) {
 *     while (!stop.stop_requested())
 *         copy_a_block();
 * });
 * @endcode
 *
 * GCC before 13 refuses a lambda that owns something, as a copy of a string, and is made or moved
 * here: name it and pass it without `std::move`, or `std::ref` of it.
 *
 * @param executor  where the function is called: it needs threads of its own.
 * @param function  called at most once, without an argument or with a std::stop_token. Destroyed
 *                  before this completes: on the thread that has called it, or, if a cancellation
 *                  has dropped it, where the coroutine goes on.
 * @return what the function returns: a value or nothing, not a reference.
 * @throws everything that the function throws.
 * @throws system_error  `operation_aborted` if it was cancelled before a thread called the
 *                       function.
 * @par Cancellation     of any type. While the function waits for a thread, it drops the function
 *                       and ends the wait at once. After that it asks the std::stop_token to stop,
 *                       and this goes on waiting for the function: it cannot be interrupted, and
 *                       what it refers to must stay. A result that comes in spite of that is
 *                       delivered.
 * @par Object lifetime  what the function refers to must live until this completes. A pool that
 *                       has been stopped calls nothing, so this waits for a cancellation. If the
 *                       pool is destroyed before it calls the function, the coroutine is destroyed
 *                       without going on, as with any I/O object. The coroutine may destroy
 *                       the pool when it goes on. The pool must be destroyed before the
 *                       io_context of the coroutine: one of its threads may still be in the post
 *                       that resumes it.
 * @par Thread safety    the function runs on another thread than the coroutine, which waits.
 * @par Complexity       two posts and a few allocations.
 */
template <detail::any_executor Executor, class Function>
    requires detail::blocking_function<std::decay_t<Function>>
[[nodiscard]] auto run_blocking(const Executor& executor, Function&& function)
    -> boost::asio::awaitable<detail::blocking_result<std::decay_t<Function>>>
{
    using called = std::decay_t<Function>;
    using result = detail::blocking_result<called>;
    static_assert(
        !std::is_reference_v<result>,
        "the function returns a reference, whose target another thread may change: "
        "return a value or a pointer"
    );
    static_assert(detail::destroyed_once<Function>, SLUICE_DESTROYED_TWICE);
    return detail::await_blocking<result, Executor, called>(
        executor,
        std::forward<Function>(function)
    );
}

/// The same on the executor of an asio::thread_pool, or of anything else that has one.
template <detail::has_executor Context, class Function>
    requires detail::blocking_function<std::decay_t<Function>>
[[nodiscard]] auto run_blocking(Context& pool, Function&& function)
{
    return run_blocking(pool.get_executor(), std::forward<Function>(function));
}

}  // namespace sluice
