// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::detail {

// Goes through the scheduler if the thread's budget is used up: a body that is always ready
// must not starve the other tasks, whatever it awaits (P5).
inline boost::asio::awaitable<void> yield_point()
{
    if (budget::take())
        co_return;
    budget::reset();
    co_await boost::asio::post(
        co_await boost::asio::this_coro::executor,
        boost::asio::use_awaitable
    );
}

}  // namespace sluice::detail
