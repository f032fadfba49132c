// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give spawn\(\) a name and a coroutine

#include <sluice/coordination/coordinator.hpp>

#include <boost/asio/awaitable.hpp>

boost::asio::awaitable<void> read();

void spawn_the_reader(sluice::coordinator& tasks)
{
#ifdef SLUICE_CONTROL
    tasks.spawn("reader", read());
#else
    tasks.spawn(read());
#endif
}
