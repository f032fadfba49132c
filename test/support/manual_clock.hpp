// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/pump.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/wait_traits.hpp>

#include <chrono>
#include <source_location>

namespace sluice::test {

namespace asio = boost::asio;

// Why: what depends on time is tested without waiting for it. The clock stands still until
// the test moves it; a basic_waitable_timer of this clock then expires.

/// A clock that shows what the test has set; meets the requirements of a C++ clock.
class manual_clock
{
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<manual_clock>;

    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept;

    /// Back to the epoch; a manual_clock_fixture does it before and after each test.
    static void reset() noexcept;

    /// Move on. Timers that wait are not told: see the other overload.
    static void advance(duration time) noexcept;

    /// Move on and make the context notice: timers that are due become ready handlers.
    /** May run handlers that were ready before; call run() for those of the timers. */
    static void advance(
        asio::io_context& context,
        duration time,
        std::source_location where = std::source_location::current()
    );
};

/// An Asio timer of the manual clock.
using manual_timer = asio::basic_waitable_timer<manual_clock>;

/// Starts and ends a test with the clock at its epoch.
class manual_clock_fixture
{
public:
    manual_clock_fixture() { manual_clock::reset(); }
    manual_clock_fixture(const manual_clock_fixture&) = delete;
    manual_clock_fixture& operator=(const manual_clock_fixture&) = delete;
    ~manual_clock_fixture() { manual_clock::reset(); }
};

}  // namespace sluice::test

/// Real time that Asio lets pass before it looks at the manual clock by itself: practically
/// never, since `advance` makes it look.
template <>
struct boost::asio::wait_traits<sluice::test::manual_clock>
{
    static sluice::test::manual_clock::duration to_wait_duration(
        const sluice::test::manual_clock::duration& remaining
    )
    {
        using duration = sluice::test::manual_clock::duration;
        return remaining > duration::zero() ? duration{std::chrono::hours{1}}
                                            : duration::zero();
    }

    static sluice::test::manual_clock::duration to_wait_duration(
        const sluice::test::manual_clock::time_point& expiry
    )
    {
        return to_wait_duration(expiry - sluice::test::manual_clock::now());
    }
};
