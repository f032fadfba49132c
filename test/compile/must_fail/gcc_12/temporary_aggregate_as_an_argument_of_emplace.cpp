// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: name it, and pass the name for a copy, or std::ref\(name\)

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <array>
#include <string>
#include <utility>

using names = std::array<std::string, 2>;

boost::asio::awaitable<void> add(sluice::fifo_queue<std::pair<int, names>>& queue)
{
#ifdef SLUICE_CONTROL
    const names both{"a", "b"};
    co_await queue.emplace(1, both);
#else
    co_await queue.emplace(1, names{"a", "b"});
#endif
}
