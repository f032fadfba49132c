// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give run\(\) a coroutine, as run\(co_main\(\)\), or a callable

#include <sluice/io_context_pool.hpp>

#include <boost/asio/awaitable.hpp>

int run_three(sluice::io_context_pool& pool)
{
#ifdef SLUICE_CONTROL
    return pool.run([]() -> boost::asio::awaitable<int> { co_return 3; });
#else
    return pool.run([] { return 3; });
#endif
}
