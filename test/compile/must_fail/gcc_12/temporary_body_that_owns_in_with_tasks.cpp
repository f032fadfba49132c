// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/coordination/with_tasks.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <string>

boost::asio::awaitable<void> fetch(std::string from);

boost::asio::awaitable<void> fetch_all(
    boost::asio::any_io_executor executor,
    std::string from
)
{
#ifdef SLUICE_CONTROL
    const auto body = [from](sluice::coordinator& tasks) {
        tasks.spawn("fetch", fetch(from));
    };
    co_await sluice::with_tasks(executor, body);
    co_await sluice::with_tasks(executor, {}, [&from](sluice::coordinator& tasks) {
        tasks.spawn("fetch", fetch(from));
    });
#else
    co_await sluice::with_tasks(executor, [from](sluice::coordinator& tasks) {
        tasks.spawn("fetch", fetch(from));
    });
#endif
}
