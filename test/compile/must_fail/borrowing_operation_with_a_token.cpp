// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: this operation refers to its argument, which may be gone
// The temporary dies before the operation completes.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/detached.hpp>

#include <string>

void start(sluice::fifo_queue<std::string>& queue)
{
#ifdef SLUICE_CONTROL
    queue.async_enqueue(std::string(40, 'b'), boost::asio::detached);
#else
    queue.enqueue(std::string(40, 'b'))(boost::asio::detached);
#endif
}
