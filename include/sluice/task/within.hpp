// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/task/detail/limited_work.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace sluice {
namespace detail {

// Value by value, so that what runs the work is compiled once, in the library.
template <class T>
boost::asio::awaitable<void> keep_value(
    boost::asio::awaitable<T> work,
    std::optional<T>& value
)
{
    value.emplace(co_await std::move(work));
}

template <class T>
boost::asio::awaitable<T> limit_work(boost::asio::awaitable<T> work, time_limit limit)
{
    std::optional<T> value;
    co_await limit_work(keep_value(std::move(work), value), limit);
    co_return std::move(*value);
}

}  // namespace detail

/// Runs any work with a time limit.
/**
 * A deadline for work that consists of several operations. Asio's `work() || timer.async_wait()`
 * waits for a *success*: if the work fails, it still waits for the timer, and the error is lost.
 * This passes the error at once.
 *
 * When the time is over the work is cancelled, and this waits until it has ended, so whatever the
 * work refers to may go when this returns. Work that ends with a value in spite of that has its
 * value delivered: nothing that was done is lost. Work that does not react to a cancellation takes
 * as long as it takes.
 *
 * @par Example
 * @code
 * try {
 *     const page found = co_await sluice::within(fetch(address), 100ms);
 * } catch (const sluice::system_error& error) {
 *     if (error.code() != sluice::errc::timed_out)
 *         throw;
 * }
 * @endcode
 *
 * @param work      begins at once, on the executor of the coroutine that awaits this, inside a
 *                  strand.
 * @param duration  begins with the work. If the work is complete without a wait it succeeds,
 *                  whatever the duration. One that the clock cannot count means no limit.
 * @return what the work gives.
 * @throws system_error  errc::timed_out if the work was cancelled because its time was over.
 * @throws everything that the work throws, apart from the `operation_aborted` of that.
 * @par Cancellation     passed on to the work, of the type that comes; waits for its end.
 * @par Object lifetime  what the work refers to must live until this completes.
 * @par Thread safety    safe on an executor with several threads, with or without a strand.
 * @par Complexity       one timer and a few allocations. For a single operation of a queue write
 *                       `queue.dequeue().within(100ms)`, which has neither.
 */
template <class T, class Rep, class Period>
[[nodiscard]] boost::asio::awaitable<T> within(
    boost::asio::awaitable<T> work,
    std::chrono::duration<Rep, Period> duration
)
{
    return detail::limit_work(std::move(work), detail::time_limit::within(duration));
}

}  // namespace sluice
