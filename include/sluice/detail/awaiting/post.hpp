// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/io_executor.hpp>
#include <sluice/detail/awaiting/post_memory.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// One that counts as work of its context.
template <class Executor>
using busy = std::decay_t<decltype(boost::asio::require(
    std::declval<const Executor&>(),
    boost::asio::execution::outstanding_work.tracked
))>;

using pool_executor = boost::asio::thread_pool::executor_type;

// Those that give the memory of a function back before they call it.
template <class Executor>
inline constexpr bool takes_given_memory = std::same_as<Executor, io_executor> ||
                                           std::same_as<Executor, busy<io_executor>> ||
                                           std::same_as<Executor, pool_executor> ||
                                           std::same_as<Executor, busy<pool_executor>>;

// Runs `function` on the executor, never inside this call (P6). The executor may be stored
// in what the function destroys, so it is copied before the function is let go.
//
// An io_context, a thread_pool and a supervised task take the memory that is given. Strands and
// other executors may keep it for longer, so they take theirs from the allocator.
template <class Executor, class Function, class Allocator = std::allocator<void>>
void post(
    const Executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& allocator = {}
)
{
    if constexpr (std::same_as<Executor, supervised_executor>) {
        executor.post(std::forward<Function>(function), memory);
    } else {
        const auto never_inline =
            boost::asio::require(executor, boost::asio::execution::blocking.never);
        const auto with = [&](const auto& from) {
            return boost::asio::prefer(
                never_inline,
                boost::asio::execution::allocator(from)
            );
        };
        if constexpr (takes_given_memory<Executor>)
            with(post_allocator<void>(memory)).execute(std::forward<Function>(function));
        else
            with(allocator).execute(std::forward<Function>(function));
    }
}

// An any_io_executor is most often that of an io_context or of a supervised task; unwrapped it
// costs a third. What is below it otherwise cannot be given an allocator.
template <class Function, class Allocator = std::allocator<void>>
void post(
    const boost::asio::any_io_executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& /*allocator*/ = {}
)
{
    const auto is_posted_to = [&]<class Executor>(std::type_identity<Executor> /*type*/) {
        const auto* const same = executor.target<Executor>();
        if (same != nullptr)
            detail::post(*same, std::forward<Function>(function), memory);
        return same != nullptr;
    };
    const bool is_posted = is_posted_to(std::type_identity<io_executor>()) ||
                           is_posted_to(std::type_identity<supervised_executor>()) ||
                           is_posted_to(std::type_identity<busy<io_executor>>()) ||
                           is_posted_to(std::type_identity<pool_executor>()) ||
                           is_posted_to(std::type_identity<busy<pool_executor>>());
    if (!is_posted)
        boost::asio::require(executor, boost::asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
}

}  // namespace sluice::detail
