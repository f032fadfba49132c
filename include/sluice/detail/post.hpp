// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/wake.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/relationship.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>

#include <memory>
#include <utility>

namespace sluice::detail {

// Runs `function` on the executor, never inside this call (P6). The executor may be stored
// in what the function destroys, so it is copied before the function is let go.
template <class Executor, class Function, class Allocator = std::allocator<void>>
void post(const Executor& executor, Function&& function, const Allocator& allocator = {})
{
    const auto never_inline =
        boost::asio::require(executor, boost::asio::execution::blocking.never);
    boost::asio::prefer(never_inline, boost::asio::execution::allocator(allocator))
        .execute(std::forward<Function>(function));
}

// To an io_context: where the policy says.
template <class Function, class Allocator = std::allocator<void>>
    requires wake::holds<Function>
void post(
    const boost::asio::io_context::executor_type& executor,
    Function&& function,
    const Allocator& allocator = {}
)
{
    const auto never_inline = boost::asio::prefer(
        boost::asio::require(executor, boost::asio::execution::blocking.never),
        boost::asio::execution::allocator(allocator)
    );
    kept_wakes* const here = wake_policy::keeper(executor.context());
    if (here != nullptr && here->push(function))
        boost::asio::prefer(
            never_inline,
            boost::asio::execution::relationship.continuation
        )
            .execute(kept_wakes::ticket(*here));
    else
        never_inline.execute(std::forward<Function>(function));
}

// An any_io_executor is most often that of an io_context; unwrapped it costs a third.
template <class Function, class Allocator = std::allocator<void>>
void post(
    const boost::asio::any_io_executor& executor,
    Function&& function,
    const Allocator& allocator = {}
)
{
    if (const auto* io = executor.target<boost::asio::io_context::executor_type>())
        detail::post(*io, std::forward<Function>(function), allocator);
    else
        boost::asio::require(executor, boost::asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
}

}  // namespace sluice::detail
