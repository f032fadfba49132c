// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What does not use the inside of asio::awaitable compiles, too, and gives the same types.
#define SLUICE_PORTABLE_AWAIT 1

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace {

using item = std::unique_ptr<int>;

[[maybe_unused]] boost::asio::awaitable<item> pass(sluice::fifo_queue<item>& queue)
{
    using namespace std::chrono_literals;
    co_await queue.enqueue(item());
    std::optional<item> next = co_await queue.next().within(1s);
    auto [error, taken] = co_await queue.dequeue().as_tuple();
    if (error == sluice::errc::end_of_queue)
        co_return std::move(*next);
    co_return co_await queue.dequeue();
}

}  // namespace
