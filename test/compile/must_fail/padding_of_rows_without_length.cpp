// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: the rows of a padding_queue are resizable ranges
// A row must be a range that can be resized, or have a pad_rows() of its own.

#include <sluice/queue/padding_queue.hpp>

#include <vector>

#ifdef SLUICE_CONTROL
using row = std::vector<int>;
#else
using row = int;
#endif

auto take(sluice::padding_queue<row>& queue)
{
    return queue.dequeue_many(2);
}
