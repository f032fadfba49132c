// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give the queue a capacity in braces, as {.capacity = 64}

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>

void make(boost::asio::io_context& context)
{
#ifdef SLUICE_CONTROL
    const sluice::fifo_queue<int> queue{context, {.capacity = 64}};
#else
    const sluice::fifo_queue<int> queue{context, 64};
#endif
}
