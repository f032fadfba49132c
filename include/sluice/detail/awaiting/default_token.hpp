// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <type_traits>

namespace sluice::detail {

// The completion token of a member that is called without one: that of the executor. Before
// Boost 1.82 executors had none of their own; then it is what they have there.
template <class Executor>
using default_token = std::conditional_t<
    std::is_void_v<typename boost::asio::default_completion_token<Executor>::type>,
    boost::asio::deferred_t,
    typename boost::asio::default_completion_token<Executor>::type>;

}  // namespace sluice::detail
