// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name the task_handle that it returns

#include <sluice/coordination/coordinator.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>

boost::asio::awaitable<void> run(
    sluice::coordinator& coord,
    std::shared_ptr<int> data,
    int& return_code
)
{
#ifdef SLUICE_CONTROL
    return_code = co_await coord.spawn(
        "task",
        []() -> boost::asio::awaitable<int> { co_return 1; },
        boost::asio::use_awaitable
    );
    (void)data;
#else
    return_code = co_await coord.spawn(
        "task",
        [data]() -> boost::asio::awaitable<int> { co_return *data; },
        boost::asio::use_awaitable
    );
#endif
}
