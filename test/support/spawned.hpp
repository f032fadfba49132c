// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/check_error.hpp"
#include "support/printing.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <atomic>
#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice::test {

namespace asio = boost::asio;

namespace detail {

/// What a spawned coroutine and its handle share.
class spawned_state_base
{
public:
    explicit spawned_state_base(std::source_location where) : where_{where} {}
    spawned_state_base(const spawned_state_base&) = delete;
    spawned_state_base& operator=(const spawned_state_base&) = delete;

    // An exception that no test has looked at is a failure: it would pass unnoticed.
    ~spawned_state_base()
    {
        if (error_ && !error_seen_)
            fail("a spawned coroutine ended with " + to_text(error_), where_);
    }

    [[nodiscard]] bool done() const noexcept
    {
        return done_.load(std::memory_order_acquire);
    }

    [[nodiscard]] const std::exception_ptr& error() noexcept
    {
        error_seen_ = true;
        return error_;
    }

    void complete(std::exception_ptr error)
    {
        // Asio 1.26 reports no exception for a coroutine cancelled before it has started.
        if (!error && !has_returned)
            error = std::make_exception_ptr(boost::system::system_error{
                asio::error::operation_aborted,
                "cancelled before the start"
            });
        error_ = std::move(error);
        done_.store(true, std::memory_order_release);
    }

    asio::cancellation_signal cancellation;
    bool has_returned = false;  // set by the coroutine

private:
    std::source_location where_;     // of the spawn
    std::exception_ptr error_;       // written before done_
    std::atomic<bool> done_{false};  // set by the completion of the coroutine
    bool error_seen_ = false;        // used by the test's thread only
};

template <class T>
struct spawned_state : spawned_state_base
{
    using spawned_state_base::spawned_state_base;
    using result_type = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

    std::optional<result_type> result;
};

template <class Work>
concept operation_object = requires(Work work) { std::move(work).operator co_await(); };

/// What awaiting a piece of work, or what a callable returns, yields.
template <class Work>
struct work_result
{
};
template <class T>
struct work_result<asio::awaitable<T>>
{
    using type = T;
};
template <operation_object Work>
struct work_result<Work>
{
    using type = decltype(std::declval<Work>().operator co_await().await_resume());
};
template <std::invocable Work>
struct work_result<Work> : work_result<std::invoke_result_t<Work&>>
{
};

template <class Work>
concept spawnable = requires { typename work_result<Work>::type; };

// Stores the result itself, so that T needs no default constructor as co_spawn's does.
template <class T, class Work>
asio::awaitable<void> run_spawned(Work work, std::shared_ptr<spawned_state<T>> state)
{
    auto task = [&] {
        if constexpr (std::invocable<Work&>)
            return work();
        else
            return std::move(work);
    }();
    if constexpr (std::is_void_v<T>) {
        co_await std::move(task);
        state->result.emplace();
    } else
        state->result.emplace(co_await std::move(task));
    state->has_returned = true;
}

// Not in spawn(), which is compiled anew for each lambda: then all of co_spawn would be, too.
void start(
    const asio::any_io_executor& executor,
    asio::awaitable<void> coroutine,
    std::shared_ptr<spawned_state_base> state
);

}  // namespace detail

// Why: co_spawn with `detached` loses results and exceptions. A handle of this class keeps
// both, tells whether the coroutine has ended, and can cancel it.

/// A coroutine started by `spawn`. Copies refer to the same coroutine.
template <class T>
class spawned
{
public:
    explicit spawned(std::shared_ptr<detail::spawned_state<T>> state)
        : state_{std::move(state)}
    {
    }

    [[nodiscard]] bool done() const noexcept { return state_->done(); }

    /// The exception it ended with, or null. Looking counts as handling it.
    [[nodiscard]] std::exception_ptr error() const
    {
        return done() ? state_->error() : nullptr;
    }

    /// Move the result out, or rethrow. Throws std::logic_error while it still runs.
    T result(std::source_location where = std::source_location::current()) const
    {
        if (!check_done(where))
            throw std::logic_error{"the result of a coroutine that has not ended"};
        if (const auto error = state_->error())
            std::rethrow_exception(error);
        if constexpr (!std::is_void_v<T>)
            return std::move(*state_->result);
    }

    /// Ask the coroutine to stop, as its parent would (asio: terminal unless it allows more).
    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal) const
    {
        state_->cancellation.emit(type);
    }

    bool check_done(std::source_location where = std::source_location::current()) const
    {
        return check(done(), "the coroutine has not ended", where);
    }

    bool check_pending(std::source_location where = std::source_location::current()) const
    {
        if (!done())
            return check(true, "", where);
        fail("the coroutine has ended (" + to_text(state_->error()) + ')', where);
        return false;
    }

    /// It ended with a system_error whose code equals `expected` (code or condition).
    template <class Expected>
    bool check_error(
        const Expected& expected,
        std::source_location where = std::source_location::current()
    ) const
    {
        return check_done(where) && test::check_error(state_->error(), expected, where);
    }

private:
    std::shared_ptr<detail::spawned_state<T>> state_;  // also held by the coroutine
};

/// Start an awaitable, an operation (an object with a member co_await), or a callable that
/// returns one of them, on an executor.
/**
 * It starts when the executor runs. A callable is kept alive until then and to the end; what
 * an operation refers to is not: `spawn(ex, q.enqueue(item))` is fine if `item` stays,
 * otherwise spawn a lambda that owns it.
 */
template <detail::spawnable Work>
auto spawn(
    const asio::any_io_executor& executor,
    Work work,
    std::source_location where = std::source_location::current()
)
{
    using result_type = typename detail::work_result<Work>::type;
    auto state = std::make_shared<detail::spawned_state<result_type>>(where);
    detail::start(
        executor,
        detail::run_spawned<result_type>(std::move(work), state),
        state
    );
    return spawned<result_type>{std::move(state)};
}

}  // namespace sluice::test
