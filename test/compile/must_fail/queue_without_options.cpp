// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: give the queue a capacity in braces, as {.capacity = 64}

#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/any_io_executor.hpp>

void make(const boost::asio::any_io_executor& executor)
{
#ifdef SLUICE_CONTROL
    const sluice::shuffle_queue<int> queue{executor, {.capacity = 64}};
#else
    const sluice::shuffle_queue<int> queue{executor};
#endif
}
