// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>

namespace sluice::detail {

// Posts the coroutine to its executor. For a loop whose body may always be ready: unless it does so
// when the budget of its thread is used up, it starves the other tasks (P5). The loop asks
// budget::take() itself, because a coroutine for each time costs more than many bodies do.
boost::asio::awaitable<void> yield_point();

}  // namespace sluice::detail
