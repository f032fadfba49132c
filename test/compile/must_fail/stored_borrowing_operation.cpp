// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect once: this operation refers to its argument, so it cannot be stored
// The string may die before the operation is awaited; of a temporary Clang warns besides.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>
#include <utility>

boost::asio::awaitable<void> store(sluice::fifo_queue<std::string>& queue)
{
    [[maybe_unused]] const std::string text(40, 'b');
#ifdef SLUICE_CONTROL
    auto operation = queue.emplace(40, 'b');
#else
    auto operation = queue.enqueue(text);
#endif
    co_await std::move(operation);
}
