// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: made_here
// when() must not let in what co_await refuses: the temporary is gone.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>
#include <utility>

boost::asio::awaitable<void> store(sluice::fifo_queue<std::string>& queue)
{
#ifdef SLUICE_CONTROL
    auto operation = queue.emplace(40, 'b');
#else
    auto operation = queue.enqueue(std::string(40, 'b'));
#endif
    (void)co_await select(when(true, std::move(operation)), queue.dequeue());
}
