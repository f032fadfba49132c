// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <concepts>
#include <coroutine>
#include <new>
#include <type_traits>
#include <utility>

// On an argument to which an operation refers: Clang warns of a constant or a reference that keeps
// the operation when a temporary argument is gone (S2).
#ifdef __clang__
#define SLUICE_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define SLUICE_LIFETIME_BOUND
#endif

namespace sluice::detail {

// What has an executor, as an execution context.
template <class Context, class Executor>
concept context_with = requires(Context& context) {
    { context.get_executor() } -> std::convertible_to<Executor>;
};

// What co_await gives: the value, with failures thrown, or a tuple that starts with the
// error_code.
enum class result_form : unsigned char
{
    value,
    tuple
};

struct operation_base
{
};

template <class T>
concept any_operation = std::derived_from<T, operation_base>;

// What an operation needs to start: the base of both public classes.
template <class Waiter, class Executor, result_form Form, class Limit>
class unstarted : public operation_base
{
public:
    /// `void(error_code, ...)`: what a completion token is called with.
    using signature = typename Waiter::signature;

    /// The type of the executor for completions that have none of their own.
    using executor_type = Executor;

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const Executor& get_executor() const noexcept { return *executor_; }

    /// @cond
    // For the awaiters and select, and none of its users' business.
    using waiter_type = Waiter;
    using arguments_type = typename Waiter::arguments;
    using limit_type = Limit;
    static constexpr result_form form = Form;

    unstarted(arguments_type&& args, const Executor& executor, const Limit& limit = {})
        : arguments_(std::move(args)), executor_(&executor), limit_(limit)
    {
    }

    [[nodiscard]] arguments_type& own_arguments() const noexcept { return arguments_; }

    [[nodiscard]] arguments_type take_arguments() const { return std::move(arguments_); }

    [[nodiscard]] const Limit& limit() const noexcept { return limit_; }
    /// @endcond

protected:
    ~unstarted() = default;
    unstarted(unstarted&&) = default;

private:
    // A constant operation is the temporary that a member returned, so these may be taken.
    mutable arguments_type arguments_;
    const Executor* executor_;
    [[no_unique_address]] Limit limit_;
};

// Members return an operation that cannot be moved as a constant, which tells it from one that
// was stored.
template <any_operation Operation>
using as_returned =
    std::conditional_t<std::move_constructible<Operation>, Operation, const Operation>;

// For messages about what must not be called.
template <class>
inline constexpr bool never = false;

template <class Operation>
using waiter_of = typename Operation::waiter_type;

template <class Operation>
using limit_of = typename Operation::limit_type;

template <result_form Form, class Source>
[[gnu::always_inline]] inline auto result_of(Source& source)
{
    if constexpr (Form == result_form::tuple)
        return source.outcome();
    else
        return source.result();
}

// What co_await makes of an operation, in the frame of the coroutine. Most operations are
// ready, and a ready one should cost little more than what it does to its queue: so first
// the fast path is tried, and only if that fails a waiter is made, in the same memory.
//
// `Waiting` is the waiter, and knows how to suspend and resume its kind of coroutine.
// `Operation` is a reference where the operation is sure to be a temporary of the co_await
// expression. Every coroutine that waits contains one of these, so nothing is stored twice,
// and the flags come last.
template <class Waiting, class Operation>
class awaiter
{
    using operation_type = std::remove_reference_t<Operation>;
    static constexpr result_form form = operation_type::form;
    using fast_path = typename waiter_of<operation_type>::fast_path;

public:
    // A coroutine that was cancelled gets nothing, not even what is ready (S17).
    awaiter(operation_type&& operation, bool is_cancelled) noexcept
        : operation_(static_cast<Operation&&>(operation)),
          fast_path_(),
          is_cancelled_(is_cancelled)
    {
    }

    awaiter(const awaiter&) = delete;
    awaiter& operator=(const awaiter&) = delete;

    ~awaiter()
    {
        if (has_waiter_)
            waiter_.~Waiting();
        else
            fast_path_.~fast_path();
    }

    [[gnu::always_inline]] bool await_ready()
    {
        within_budget_ = budget::take();
        if (!within_budget_ || is_cancelled_)
            return false;
        const attempt tried = fast_path_.attempt(operation_.own_arguments());
        return tried == attempt::done ||
               (tried == attempt::unclear && make_waiter().try_start());
    }

    // Nothing of this is touched once it is suspended: another thread may resume the
    // coroutine, and *this be gone.
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> coroutine)
    {
        interleaving_point();
        return (has_waiter_ ? waiter_ : make_waiter())
            .begin_wait(
                coroutine,
                operation_,
                within_budget_ ? delivery::inline_if_ready : delivery::always_posted
            );
    }

    [[gnu::always_inline]] auto await_resume()
    {
        // The awaiter lives on, to the end of the expression: in
        // `co_await out.enqueue(co_await in.dequeue())` as long as the outer wait.
        if (has_waiter_)
            waiter_.end_wait();
        if constexpr (!std::is_same_v<fast_path, no_fast_path>)
            if (!has_waiter_)
                return result_of<form>(fast_path_);
        return result_of<form>(waiter_);
    }

private:
    // In the place of the fast path. Out of line, so that the fast path stays short.
    [[gnu::noinline]] Waiting& make_waiter()
    {
        fast_path_.~fast_path();
        try {
            ::new (static_cast<void*>(&waiter_)) Waiting(operation_);
        } catch (...) {
            ::new (static_cast<void*>(&fast_path_)) fast_path();
            throw;
        }
        has_waiter_ = true;
        return waiter_;
    }

    Operation operation_;
    union
    {
        fast_path fast_path_;
        Waiting waiter_;
    };
    const bool is_cancelled_;
    bool within_budget_ = true;
    bool has_waiter_ = false;  // which of the two there is
};

}  // namespace sluice::detail
