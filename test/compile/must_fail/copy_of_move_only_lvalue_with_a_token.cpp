// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: no matching (function|member function)
// An lvalue does not become the reference that would move from it.

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/detached.hpp>

#include <functional>
#include <memory>

void start(sluice::fifo_queue<std::unique_ptr<int>>& queue, std::unique_ptr<int>& element)
{
#ifdef SLUICE_CONTROL
    queue.async_enqueue(std::ref(element), boost::asio::detached);
#else
    queue.async_enqueue(element, boost::asio::detached);
#endif
}
