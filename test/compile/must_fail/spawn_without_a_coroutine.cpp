// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give spawn\(\) a name and a coroutine, as spawn

#include <sluice/coordination/coordinator.hpp>

#include <boost/asio/awaitable.hpp>

void spawn_a_number(sluice::coordinator& tasks)
{
#ifdef SLUICE_CONTROL
    tasks.spawn("three", []() -> boost::asio::awaitable<int> { co_return 3; });
#else
    tasks.spawn("three", [] { return 3; });
#endif
}
