// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/printing.hpp"
#include "support/tracking_executor.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

namespace asio = boost::asio;

namespace detail {

/// What the handler and the test share, as far as it does not depend on the signature.
struct record_state
{
    void note_call();
    void note_destruction() noexcept;

    std::atomic<int> calls{0};               // incremented after the rest was written
    std::atomic<bool> abandoned{false};      // destroyed without a call
    std::vector<int> executors;              // running_executors() at the call
    bool inside_initiation = false;          // of any operation on the calling thread
    int expected_executor = 0;               // if .on() was given a tracking executor
    std::function<void()> then;              // called at the end of the call
    asio::cancellation_signal cancellation;  // connected by .cancellable()
};

template <class... Args>
struct record_state_of : record_state
{
    std::optional<std::tuple<Args...>> arguments;
};

void check_pending(const record_state&, std::source_location);
void check_abandoned(const record_state&, std::source_location);
bool check_done(const record_state&, std::source_location);
void check_executor(const record_state&, int id, std::source_location);

/// Equal, or elementwise equal: a vector<counted> may be compared with a vector<int>.
template <class Left, class Right>
bool same(const Left& left, const Right& right)
{
    if constexpr (requires { left == right; })
        return left == right;
    else
        return std::ranges::equal(left, right);
}

inline boost::system::error_code code_of(boost::system::error_code error)
{
    return error;
}
boost::system::error_code code_of(const std::exception_ptr& error);

template <class T>
inline constexpr bool is_error = std::is_same_v<T, boost::system::error_code> ||
                                 std::is_same_v<T, std::exception_ptr>;

}  // namespace detail

// Why: a test of an asynchronous operation asks always the same questions: has it completed,
// with what, how often, on which executor, inline, or was the handler thrown away?

/// What became of an operation that was started with the token `record`.
/**
 * The checks report at the caller's line and can be chained. Copies refer to the same
 * operation. To be used after the handler ran, or on the thread that runs it.
 */
template <class... Args>
class recording
{
public:
    explicit recording(std::shared_ptr<detail::record_state_of<Args...>> state)
        : state_{std::move(state)}
    {
    }

    [[nodiscard]] bool done() const noexcept { return calls() != 0; }
    [[nodiscard]] int calls() const noexcept { return state_->calls; }

    /// Whether the handler was destroyed without being called.
    [[nodiscard]] bool abandoned() const noexcept { return state_->abandoned; }

    /// The tracking executors on the stack of the call, outermost first.
    [[nodiscard]] const std::vector<int>& executors() const noexcept
    {
        return state_->executors;
    }

    /// Whether the operation has something installed in the slot of .cancellable().
    [[nodiscard]] bool slot_in_use() const
    {
        return state_->cancellation.slot().has_handler();
    }

    /// The error code (of an exception_ptr: that of its system_error). Needs done().
    [[nodiscard]] boost::system::error_code error() const
    {
        return detail::code_of(std::get<0>(state_->arguments.value()));
    }

    /// The exception_ptr of a signature that has one. Needs done().
    [[nodiscard]] std::exception_ptr exception() const
    {
        return std::get<0>(state_->arguments.value());
    }

    /// The I-th argument after the error; take it out with `std::move(op.value())`.
    template <std::size_t I = 0>
    [[nodiscard]] auto& value() const
    {
        return std::get<I + first_value>(state_->arguments.value());
    }

    /// Emit a cancellation; needs .cancellable(). No effect when the operation has completed.
    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal) const
    {
        state_->cancellation.emit(type);
    }

    /// Not called, and not thrown away either.
    const recording& check_pending(
        std::source_location where = std::source_location::current()
    ) const
    {
        detail::check_pending(*state_, where);
        return *this;
    }

    /// Called exactly once, not from inside an initiating function, on the executor of .on().
    const recording& check_done(
        std::source_location where = std::source_location::current()
    ) const
    {
        detail::check_done(*state_, where);
        return *this;
    }

    /// check_done, and no error.
    const recording& check_success(
        std::source_location where = std::source_location::current()
    ) const
    {
        if (!detail::check_done(*state_, where))
            return *this;
        if constexpr (first_value != 0) {
            const auto& error = std::get<0>(*state_->arguments);
            if (error)
                fail("completed with " + to_text(error), where);
        }
        return *this;
    }

    /// check_done, and the error equals a code, an enumerator or a condition.
    template <class Expected>
    const recording& check_error(
        const Expected& expected,
        std::source_location where = std::source_location::current()
    ) const
    {
        if (detail::check_done(*state_, where) && !(error() == expected))
            fail(
                "completed with " + to_text(std::get<0>(*state_->arguments)) + ", not " +
                    to_text(expected),
                where
            );
        return *this;
    }

    /// check_done, and the I-th argument after the error equals the expected value.
    template <std::size_t I = 0, class Expected>
    const recording& check_value(
        const Expected& expected,
        std::source_location where = std::source_location::current()
    ) const
    {
        if (detail::check_done(*state_, where) && !detail::same(value<I>(), expected))
            fail(
                "completed with the value " + to_text(value<I>()) + ", not " +
                    to_text(expected),
                where
            );
        return *this;
    }

    /// Called on this executor.
    const recording& check_executor(
        const tracking_executor& executor,
        std::source_location where = std::source_location::current()
    ) const
    {
        detail::check_executor(*state_, executor.id(), where);
        return *this;
    }

    /// Destroyed without being called.
    const recording& check_abandoned(
        std::source_location where = std::source_location::current()
    ) const
    {
        detail::check_abandoned(*state_, where);
        return *this;
    }

private:
    template <class... T>
    static constexpr std::size_t count_error()
    {
        if constexpr (sizeof...(T) == 0)
            return 0;
        else
            return detail::is_error<std::tuple_element_t<0, std::tuple<T...>>> ? 1 : 0;
    }
    static constexpr std::size_t first_value = count_error<Args...>();

    std::shared_ptr<detail::record_state_of<Args...>> state_;  // also held by the handler
};

}  // namespace sluice::test
