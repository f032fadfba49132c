// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/delay.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::detail {

boost::asio::awaitable<void> delay(time_limit duration)
{
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, duration.deadline());
    co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace sluice::detail
