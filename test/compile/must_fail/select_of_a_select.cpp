// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: name its branches

#include <sluice/queue/select.hpp>

#include <sluice/queue/fifo_queue.hpp>

boost::asio::awaitable<void> nested(
    sluice::fifo_queue<int>& a,
    sluice::fifo_queue<int>& b
)
{
#ifdef SLUICE_CONTROL
    co_await sluice::select(a.dequeue(), b.dequeue());
#else
    co_await sluice::select(a.dequeue(), sluice::select(a.dequeue(), b.dequeue()));
#endif
}
