// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/awaitable.hpp>

namespace sluice::detail {

// Waits for a timer. Compiled in the library: what a timer takes to be awaited is as much as all
// else in the headers, and would be compiled again with each file that includes them.
boost::asio::awaitable<void> delay(time_limit duration);

}  // namespace sluice::detail
