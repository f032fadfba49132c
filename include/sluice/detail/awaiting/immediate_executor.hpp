// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/version.hpp>

#if BOOST_ASIO_VERSION >= 102700
#include <boost/asio/associated_immediate_executor.hpp>
#endif

#include <type_traits>

// Boost 1.82 and newer let a completion handler say where it runs if its operation completes in
// the initiating function. Without that, and before, it is posted as any other completion.
namespace sluice::detail {

#if BOOST_ASIO_VERSION >= 102700

struct handler_without_executors
{
};

template <class Handler, class Executor>
inline constexpr bool has_immediate_executor = !std::is_same_v<
    typename boost::asio::associated_immediate_executor<Handler, Executor>::type,
    typename boost::asio::
        associated_immediate_executor<handler_without_executors, Executor>::type>;

template <class Handler, class Executor>
[[nodiscard]] auto immediate_executor_of(const Handler& handler, const Executor& executor)
{
    return boost::asio::get_associated_immediate_executor(handler, executor);
}

#else

template <class Handler, class Executor>
inline constexpr bool has_immediate_executor = false;

#endif

}  // namespace sluice::detail
