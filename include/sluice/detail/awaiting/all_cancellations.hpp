// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>

namespace sluice::detail {

// From here on the coroutine that awaits it is ended by cancellations of all types. By itself a
// coroutine of Asio heeds terminal ones only, and what it awaits is not told of others. Throws if a
// cancellation has come before.
boost::asio::awaitable<void> heed_all_cancellations();

}  // namespace sluice::detail
