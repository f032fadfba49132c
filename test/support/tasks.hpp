// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <stdexcept>
#include <string>

namespace sluice::test {

/// Waits until it is cancelled.
inline boost::asio::awaitable<void> until_stopped()
{
    using boost::asio::steady_timer;
    steady_timer never{
        co_await boost::asio::this_coro::executor,
        steady_timer::time_point::max()
    };
    co_await never.async_wait(boost::asio::use_awaitable);
}

/// Ends with an error of this text.
inline boost::asio::awaitable<void> fails_with(std::string text)
{
    throw std::runtime_error(text);
    co_return;
}

inline boost::asio::awaitable<void> fails()
{
    return fails_with("broken");
}

/// Such an error.
inline std::exception_ptr error(const std::string& text)
{
    return std::make_exception_ptr(std::runtime_error(text));
}

}  // namespace sluice::test
