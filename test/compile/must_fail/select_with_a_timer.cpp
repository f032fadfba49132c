// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: for a timer or a socket use
// A branch of a select leaves no trace if another one is taken; what a timer has begun stays.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

auto either(sluice::fifo_queue<int>& a, boost::asio::steady_timer& timer)
{
#ifdef SLUICE_CONTROL
    timer.cancel();
    return sluice::select(a.dequeue());
#else
    return sluice::select(a.dequeue(), timer.async_wait(boost::asio::deferred));
#endif
}
