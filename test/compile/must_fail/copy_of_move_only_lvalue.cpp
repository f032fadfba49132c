// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: no matching (function|member function)|cannot bind rvalue reference
// A move-only element has to be moved in: enqueue(element) would be a copy.

#include <sluice/queue/fifo_queue.hpp>

#include <memory>
#include <utility>

auto put(sluice::fifo_queue<std::unique_ptr<int>>& queue, std::unique_ptr<int>& element)
{
#ifdef SLUICE_CONTROL
    return queue.enqueue(std::move(element));
#else
    return queue.enqueue(element);
#endif
}
