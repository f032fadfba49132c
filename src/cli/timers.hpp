// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error_code.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>

namespace sluice::cli {

// Calls a function when the time is over, unless the timer is cancelled or used again.
template <class Action>
void after(boost::asio::steady_timer& timer, std::chrono::nanoseconds time, Action action)
{
    timer.expires_after(time);
    timer.async_wait([action](const error_code& ec) {
        if (!ec)
            action();
    });
}

// Calls a function now, and then at intervals until the timer is cancelled.
template <class Action>
void repeat(
    boost::asio::steady_timer& timer,
    std::chrono::nanoseconds interval,
    Action action
)
{
    action();
    after(timer, interval, [&timer, interval, action] {
        repeat(timer, interval, action);
    });
}

}  // namespace sluice::cli
