// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/task/retry.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>

boost::asio::awaitable<void> fetch(std::string from);

boost::asio::awaitable<void> fetch_again(std::string from)
{
#ifdef SLUICE_CONTROL
    const auto attempt = [from] { return fetch(from); };
    co_await sluice::retry({}, attempt);
    co_await sluice::retry({}, [&from] { return fetch(from); });
#else
    co_await sluice::retry({}, [from] { return fetch(from); });
#endif
}
