// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/awaitable.hpp>

namespace sluice::detail {

// Runs work on the executor of the coroutine that awaits this, inside a strand, and cancels it
// when its time is over. Ends when the work has.
boost::asio::awaitable<void> limit_work(
    boost::asio::awaitable<void> work,
    time_limit limit
);

}  // namespace sluice::detail
