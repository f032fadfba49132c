// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/awaiting/asio_internals.hpp>
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/awaiting/delay.hpp>
#include <sluice/runner/detail/yield_point.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <source_location>
#include <stop_token>
#include <string>
#include <utility>

namespace sluice {

/// Repeats a body at an interval until its coordinator stops; looper is the one to use.
/**
 * Periodic work that only sleeps between its calls drifts by the time each call takes, and
 * does not end when the rest of the program does. A looper is a supervised task that calls
 * its body when it is due: the first time at once, then each `interval` after the previous
 * due time. Calls that were missed, because one took too long, follow at once; none is
 * skipped. A stop interrupts the wait. An exception of the body stops the coordinator.
 *
 * @par Object lifetime  the looper may be destroyed while it runs; the coordinator's task
 *                       goes on.
 * @par Thread safety    Distinct objects: safe. Shared objects: nothing to call.
 * @tparam Clock         the clock of the due times; tests use one of their own, and include
 *                       `<boost/asio/basic_waitable_timer.hpp>`.
 */
template <class Clock>
class basic_looper
{
public:
    /// What is repeated: a callable that starts a coroutine.
    using body_type = std::function<boost::asio::awaitable<void>()>;

    /// Starts at once.
    /**
     * @param scope     the coordinator that supervises the loop and ends it.
     * @param interval  the time between due times; zero or less: back to back. One beyond what the
     *                  clock can count, such as duration::max(): the body is called once.
     * @param body      called repeatedly, never twice at a time.
     * @param name      the name of the task.
     * @param where     for reports of what the body awaits: leave it out.
     * @throws system_error   errc::stop_requested if the scope has been asked to stop.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    basic_looper(
        coordinator& scope,
        typename Clock::duration interval,
        body_type body,
        std::string name = "looper",
        std::source_location where = std::source_location::current()
    )
    {
        scope.spawn(
            std::move(name),
            loop(interval, std::move(body), scope.get_stop_token()),
            where
        );
    }

    basic_looper(const basic_looper&) = delete;
    basic_looper& operator=(const basic_looper&) = delete;

private:
    // A time that the clock cannot count never comes.
    static typename Clock::time_point after(
        typename Clock::time_point due,
        typename Clock::duration interval
    )
    {
        if (interval <= Clock::duration::zero())
            return due;
        const auto last = Clock::time_point::max();
        return due > last - interval ? last : due + interval;
    }

    // The timer of a clock of the program is not compiled in the library.
    static boost::asio::awaitable<void> sleep_until(typename Clock::time_point due)
    {
        if constexpr (std::same_as<Clock, std::chrono::steady_clock>) {
            co_await detail::delay(detail::time_limit::until(due));
        } else {
            boost::asio::basic_waitable_timer<Clock> timer(
                co_await boost::asio::this_coro::executor,
                due
            );
            co_await timer.async_wait(boost::asio::use_awaitable);
        }
    }

    static boost::asio::awaitable<void> loop(
        typename Clock::duration interval,
        body_type body,
        std::stop_token stop
    )
    {
        for (auto due = Clock::now(); !stop.stop_requested();
             due = after(due, interval)) {
            if (interval > Clock::duration::zero())
                co_await sleep_until(due);
            co_await body();
            if (!detail::budget::take())
                co_await detail::yield_point();
        }
    }
};

/// A body repeated at an interval of the steady clock; see basic_looper.
using looper = basic_looper<std::chrono::steady_clock>;

}  // namespace sluice
