// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/yield_point.hpp>

#include <sluice/detail/awaiting/budget.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::detail {

boost::asio::awaitable<void> yield_point()
{
    budget::reset();
    co_await boost::asio::post(
        co_await boost::asio::this_coro::executor,
        boost::asio::use_awaitable
    );
}

}  // namespace sluice::detail
