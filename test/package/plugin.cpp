// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "plugin.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <chrono>

namespace {

boost::asio::awaitable<void> add_up(sluice::fifo_queue<int>& numbers, int& sum)
{
    try {
        while (auto number = co_await numbers.next().within(std::chrono::hours(1)))
            sum += *number;
    } catch (const sluice::system_error&) {
        sum = -1;
    }
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void plugin_add_up(
    boost::asio::io_context& context,
    sluice::fifo_queue<int>& numbers,
    int& sum
)
{
    boost::asio::co_spawn(context, add_up(numbers, sum), boost::asio::detached);
}
