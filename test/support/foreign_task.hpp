// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/check_error.hpp"

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sluice::test {

template <class T>
class foreign_task;

namespace detail {

/// The part of the promise that does not depend on the result.
class foreign_promise_base
{
public:
    // Lazy: nothing runs before start() or co_await.
    std::suspend_always initial_suspend() const noexcept { return {}; }

    auto final_suspend() const noexcept
    {
        struct to_continuation
        {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept
            {
                return continuation ? continuation : std::noop_coroutine();
            }
            void await_resume() const noexcept {}

            std::coroutine_handle<> continuation;
        };
        return to_continuation{continuation};
    }

    void unhandled_exception() noexcept { error = std::current_exception(); }

    std::coroutine_handle<> continuation;  // the task that awaits this one, or null
    std::exception_ptr error;              // what the body threw
};

template <class T>
struct foreign_promise : foreign_promise_base
{
    foreign_task<T> get_return_object() noexcept;

    template <class Value>
    void return_value(Value&& value)
    {
        result.emplace(std::forward<Value>(value));
    }

    std::optional<T> result;
};

template <>
struct foreign_promise<void> : foreign_promise_base
{
    foreign_task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
};

}  // namespace detail

// Why: operations promise to be awaitable from any coroutine type. This one knows nothing of
// Asio: no executor, no await_transform, no cancellation; it offers the bare C++20 protocol.
//
//     foreign_task<int> consume(fifo_queue<int>& q) { co_return co_await q.dequeue(); }
//     auto task = consume(q);
//     task.start();
//     run();                          // whatever the operation resumes on
//     task.check_done();
//     BOOST_TEST(task.result() == 1);

/// A lazy coroutine that owns its frame; destroying it destroys a suspended frame.
template <class T = void>
class [[nodiscard]] foreign_task
{
public:
    using promise_type = detail::foreign_promise<T>;

    foreign_task(foreign_task&& other) noexcept
        : frame_{std::exchange(other.frame_, nullptr)}, started_{other.started_}
    {
    }
    foreign_task& operator=(foreign_task&&) = delete;
    ~foreign_task() { destroy(); }

    /// Run the body on this thread until it first suspends. Once.
    void start(std::source_location where = std::source_location::current())
    {
        if (check(frame_ && !started_, "the task was started before", where)) {
            started_ = true;
            frame_.resume();
        }
    }

    /// Destroy the frame where it is suspended, as if its owner had gone away.
    void destroy() noexcept
    {
        if (frame_)
            std::exchange(frame_, nullptr).destroy();
    }

    [[nodiscard]] bool done() const noexcept { return frame_ && frame_.done(); }

    /// The exception that ended the body, or null. Needs done().
    [[nodiscard]] std::exception_ptr error() const { return finished_promise().error; }

    /// Move the result out, or rethrow. Needs done().
    T result() const
    {
        auto& promise = finished_promise();
        if (promise.error)
            std::rethrow_exception(promise.error);
        if constexpr (!std::is_void_v<T>)
            return std::move(*promise.result);
    }

    bool check_done(std::source_location where = std::source_location::current()) const
    {
        return check(done(), "the task has not ended", where);
    }

    bool check_pending(std::source_location where = std::source_location::current()) const
    {
        return check(
            frame_ && !frame_.done(),
            "the task has ended or was destroyed",
            where
        );
    }

    /// It ended with a system_error whose code equals `expected` (code or condition).
    template <class Expected>
    bool check_error(
        const Expected& expected,
        std::source_location where = std::source_location::current()
    ) const
    {
        return check_done(where) && test::check_error(error(), expected, where);
    }

    /// Awaiting from another foreign_task transfers control without growing the stack.
    auto operator co_await() && noexcept
    {
        struct awaiter
        {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting
            ) noexcept
            {
                task.started_ = true;
                task.frame_.promise().continuation = awaiting;
                return task.frame_;
            }
            T await_resume() { return task.result(); }

            foreign_task task;
        };
        return awaiter{std::move(*this)};
    }

private:
    friend promise_type;

    explicit foreign_task(std::coroutine_handle<promise_type> frame) noexcept
        : frame_{frame}
    {
    }

    promise_type& finished_promise() const
    {
        if (!done())
            throw std::logic_error{"the result of a task that has not ended"};
        return frame_.promise();
    }

    std::coroutine_handle<promise_type> frame_;  // owned; null after a move or destroy()
    bool started_ = false;                       // by start() or co_await
};

template <class T>
foreign_task<T> detail::foreign_promise<T>::get_return_object() noexcept
{
    return foreign_task<T>{std::coroutine_handle<foreign_promise>::from_promise(*this)};
}

inline foreign_task<void> detail::foreign_promise<void>::get_return_object() noexcept
{
    return foreign_task<void>{std::coroutine_handle<foreign_promise>::from_promise(*this)
    };
}

}  // namespace sluice::test
