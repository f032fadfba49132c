// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/task/retry.hpp>

#include <boost/asio/awaitable.hpp>

#include <exception>
#include <string>

boost::asio::awaitable<void> fetch(std::string from);

boost::asio::awaitable<void> fetch_again(std::string from)
{
    const auto is_busy = [from](const std::exception_ptr&) { return from == "busy"; };
    const auto attempt = [&from] { return fetch(from); };
    co_await sluice::retry({}, attempt, is_busy);
#ifndef SLUICE_CONTROL
    co_await sluice::retry({}, attempt, [from](const std::exception_ptr&) {
        return true;
    });
#endif
}
