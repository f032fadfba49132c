// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give the queue a capacity in braces, as {.capacity = 64}
// A queue without a limit grows until memory runs out, so it is not what one gets by default.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>

void make(boost::asio::io_context& context)
{
#ifdef SLUICE_CONTROL
    const sluice::fifo_queue<int> queue{context, {.capacity = sluice::unbounded}};
#else
    const sluice::fifo_queue<int> queue{context, {.name = "lines"}};
#endif
}
