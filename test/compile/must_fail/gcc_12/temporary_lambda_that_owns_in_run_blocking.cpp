// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/task/run_blocking.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include <string>

boost::asio::awaitable<std::size_t> measure(
    boost::asio::thread_pool& pool,
    std::string path
)
{
#ifdef SLUICE_CONTROL
    const auto size = [path] { return path.size(); };
    co_return co_await sluice::run_blocking(pool, size) +
        co_await sluice::run_blocking(pool, [&path] { return path.size(); });
#else
    co_return co_await sluice::run_blocking(pool, [path] { return path.size(); });
#endif
}
