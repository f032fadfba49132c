// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/delay.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>

namespace sluice {

/// Waits for a duration, without a thread.
/**
 * What `asio::steady_timer` does, in one line and without a timer to name.
 *
 * @par Example
 * @code
 * co_await sluice::sleep_for(20ms);
 * @endcode
 *
 * @param duration  begins when this is awaited or spawned. Not above zero: this yields once. One
 *                  that the clock cannot count means until a cancellation.
 * @return a coroutine, which resumes on the executor of the coroutine that awaits it.
 * @throws system_error  asio::error::operation_aborted if it is cancelled, by a stop for example.
 * @par Cancellation     terminal, partial, total: all end the wait.
 * @par Thread safety    any thread.
 * @par Complexity       one timer. Not for a limit: `queue.dequeue().within(100ms)` has none, and
 *                       within() limits any work.
 */
template <class Rep, class Period>
[[nodiscard]] boost::asio::awaitable<void> sleep_for(
    std::chrono::duration<Rep, Period> duration
)
{
    return detail::delay(detail::time_limit::within(duration));
}

}  // namespace sluice
