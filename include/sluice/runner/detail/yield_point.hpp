// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::detail {

// Goes through the scheduler. For a loop whose body may always be ready: unless it does so when
// the budget of its thread is used up, it starves the other tasks (P5). The loop asks
// budget::take() itself, because a coroutine for each time costs more than many bodies do.
inline boost::asio::awaitable<void> yield_point()
{
    budget::reset();
    co_await boost::asio::post(
        co_await boost::asio::this_coro::executor,
        boost::asio::use_awaitable
    );
}

}  // namespace sluice::detail
