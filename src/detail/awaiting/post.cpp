// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/post.hpp>

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/execution/outstanding_work.hpp>

namespace sluice::detail {
namespace {

// One that counts as work of its context.
template <class Executor>
using busy = std::decay_t<decltype(boost::asio::require(
    std::declval<const Executor&>(),
    boost::asio::execution::outstanding_work.tracked
))>;

using pool_executor = boost::asio::thread_pool::executor_type;

template <class Executor>
bool post_if(
    const boost::asio::any_io_executor& executor,
    posted_call& call,
    post_memory& memory
)
{
    const auto* const same = executor.target<Executor>();
    if (same == nullptr)
        return false;
    if constexpr (std::same_as<Executor, supervised_executor>)
        same->post(std::move(call), memory);
    else
        detail::post(*same, std::move(call), memory);
    return true;
}

}  // namespace

// Most often it is that of an io_context or of a supervised task; unwrapped it costs a third.
void post_to_any(
    const boost::asio::any_io_executor& executor,
    posted_call&& call,
    post_memory& memory
)
{
    if (!post_if<io_executor>(executor, call, memory) &&
        !post_if<supervised_executor>(executor, call, memory) &&
        !post_if<busy<io_executor>>(executor, call, memory) &&
        !post_if<pool_executor>(executor, call, memory) &&
        !post_if<busy<pool_executor>>(executor, call, memory))
        boost::asio::require(executor, boost::asio::execution::blocking.never)
            .execute(std::move(call));
}

}  // namespace sluice::detail
