// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: discards qualifiers|rvalue ref-qualifier|expects an rvalue
// An operation can be started once: an await gives it away.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <utility>

auto limited(sluice::fifo_queue<int>& queue)
{
    auto operation = queue.dequeue();
#ifdef SLUICE_CONTROL
    return std::move(operation).within(std::chrono::seconds(1));
#else
    return operation.within(std::chrono::seconds(1));
#endif
}
