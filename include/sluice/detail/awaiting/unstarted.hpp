// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <concepts>
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

}  // namespace sluice::detail
