// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/delay.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/permit.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace sluice {
namespace detail {

// An element that goes into its place at the latest when this is destroyed: with a coroutine that
// never began, that was not awaited, or whose context is destroyed.
template <class T>
class late_element
{
public:
    late_element(permit<T> place, T element)
        : place_(std::move(place)), element_(std::move(element))
    {
        if (!place_)
            throw system_error(
                errc::invalid_argument,
                "fill_after: the permit has no place; reserve one first"
            );
    }

    late_element(late_element&&) noexcept = default;

    ~late_element()
    {
        try {
            fill();
        } catch (...) {  // a comparison
        }
    }

    // Once: if it fails the element can be nowhere, and its place returns to the queue.
    void fill()
    {
        if (permit<T> place = std::move(place_))
            place.fill(std::move(element_));
    }

private:
    permit<T> place_;
    T element_;
};

template <class T>
boost::asio::awaitable<void> fill_when_due(late_element<T> late, time_limit duration)
{
    try {
        co_await delay(duration);
    } catch (const system_error& error) {
        if (error.code() != boost::asio::error::operation_aborted)
            throw;
    }
    late.fill();
}

}  // namespace detail

/// Puts an element into its place after a delay: a delayed enqueue.
/**
 * For work that is to be tried again later. Meanwhile the element has a place of its queue, so
 * nothing can come in between: there is no wait for room, and consumers of a queue that is closed
 * do not see its end before they have had the element. As it has a place it counts against the
 * capacity.
 *
 * The element is not lost on the way. Whatever ends the delay early (a cancellation, a stop, the
 * end of the coroutine or of its context) puts it into the queue at once, where its consumers, or
 * code that counts what was left undone, find it.
 *
 * @par Example
 * @code
 * if (auto place = jobs.try_reserve())  // never waits; succeeds while an unbounded queue is open
 *     coord.spawn("retry", sluice::fill_after(std::move(place), 2s, std::move(work)));
 * @endcode
 *
 * @param place    of the queue, from reserve() or try_reserve().
 * @param delay    begins when this is awaited or spawned. Not above zero: at once.
 * @param element  goes in when the delay is over.
 * @return a coroutine: `co_await` waits for the delay, a coordinator does so in a task.
 * @throws system_error  errc::invalid_argument, in this call, if the permit has no place.
 * @throws what a comparison of elements throws when it goes in; it is then destroyed.
 * @par Cancellation     ends the delay; this then succeeds, because the element is in the queue.
 * @par Object lifetime  the queue may be destroyed first; the element is destroyed then.
 * @par Thread safety    the queue may be used on any thread.
 * @par Complexity       one timer.
 */
template <class T, class Rep, class Period>
[[nodiscard]] boost::asio::awaitable<void> fill_after(
    permit<T> place,
    std::chrono::duration<Rep, Period> delay,
    std::type_identity_t<T> element
)
{
    return detail::fill_when_due(
        detail::late_element<T>(std::move(place), std::move(element)),
        detail::time_limit::within(delay)
    );
}

}  // namespace sluice
