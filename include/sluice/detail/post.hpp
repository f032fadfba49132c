// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/post_memory.hpp>
#include <sluice/detail/wake.hpp>
#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The executor of an io_context that counts as work of its context.
using busy_io_executor = std::decay_t<decltype(boost::asio::require(
    std::declval<const io_executor&>(),
    boost::asio::execution::outstanding_work.tracked
))>;

// Runs `function` on the executor, never inside this call (P6). The executor may be stored
// in what the function destroys, so it is copied before the function is let go.
//
// Posting to an io_context takes the memory that is given, and cannot fail; the policy says
// whether other threads learn of it. Strands and other executors may keep their memory for
// longer, so they take it from the allocator.
template <class Executor, class Function, class Allocator = std::allocator<void>>
void post(
    const Executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& allocator = {}
)
{
    if constexpr (std::same_as<Executor, io_executor> ||
                  std::same_as<Executor, busy_io_executor>) {
        static_assert(wake::holds<std::decay_t<Function>>);
        kept_wakes* const keeper = wake_policy::keeper(
            boost::asio::query(executor, boost::asio::execution::context)
        );
        if (keeper == nullptr || !keeper->push(function, memory))
            post_with(
                executor,
                std::forward<Function>(function),
                post_allocator<void>(memory)
            );
    } else {
        post_with(executor, std::forward<Function>(function), allocator);
    }
}

// An any_io_executor is most often that of an io_context; unwrapped it costs a third. What is
// below it otherwise cannot be given an allocator.
template <class Function, class Allocator = std::allocator<void>>
void post(
    const boost::asio::any_io_executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& /*allocator*/ = {}
)
{
    if (const auto* io = executor.target<io_executor>())
        detail::post(*io, std::forward<Function>(function), memory);
    else if (const auto* busy = executor.target<busy_io_executor>())
        detail::post(*busy, std::forward<Function>(function), memory);
    else
        boost::asio::require(executor, boost::asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
}

}  // namespace sluice::detail
