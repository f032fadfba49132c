// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: use emplace\(\.\.\.\), or name it and pass a copy or std::ref

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
