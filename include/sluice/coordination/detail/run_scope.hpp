// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_state.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

namespace sluice::detail {

// Runs the body of a scope and ends when it and all tasks have ended: with the first error, and
// with operation_aborted if this was cancelled. What is awaited does not end before.
boost::asio::awaitable<void> run_scope(
    boost::intrusive_ptr<coordinator_state> scope,
    boost::asio::awaitable<void> body
);

}  // namespace sluice::detail
