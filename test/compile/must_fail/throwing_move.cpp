// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: need a move constructor that cannot throw
// An element that throws on its way would be lost (P10).

#include <sluice/queue/fifo_queue.hpp>

struct element
{
    element() = default;
#ifdef SLUICE_CONTROL
    element(element&&) noexcept {}
#else
    element(element&&) {}
#endif
};

auto take(sluice::fifo_queue<element>& queue)
{
    return queue.dequeue();
}
