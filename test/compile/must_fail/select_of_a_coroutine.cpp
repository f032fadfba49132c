// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: a branch of a select is an operation of sluice
// The branches are operations that have not been started; a coroutine that has begun to take
// an element could not leave it.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/use_awaitable.hpp>

auto either(sluice::fifo_queue<int>& a, sluice::fifo_queue<int>& b)
{
#ifdef SLUICE_CONTROL
    return sluice::select(a.dequeue(), b.dequeue());
#else
    return sluice::select(a.dequeue(), b.async_dequeue(boost::asio::use_awaitable));
#endif
}
