// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace sluice {
namespace detail {

void add_queue_runner(
    boost::asio::execution_context& context,
    std::shared_ptr<queue_runner> runner
);

std::size_t start_queue_runners(
    boost::asio::execution_context& context,
    coordinator& scope
);

template <class Context>
boost::asio::execution_context& execution_context_of(Context& context)
{
    return boost::asio::query(context.get_executor(), boost::asio::execution::context);
}

}  // namespace detail

/// Adds a runner to the collection of an execution context.
/**
 * Code that builds queues deep inside a program need not hand their runners up to the place
 * that starts them: it leaves them with the context. That is how programs of TensorFlow are
 * written; `#include <sluice/tensorflow.hpp>` offers it.
 *
 * @param context  an io_context, an io_context_pool or anything else with an executor.
 * @param runner   kept until the context is destroyed.
 * @par Complexity        amortised O(1).
 * @par Exception safety  strong.
 * @par Thread safety     safe from any thread.
 */
template <class Context>
void add_queue_runner(Context& context, std::shared_ptr<queue_runner> runner)
{
    detail::add_queue_runner(detail::execution_context_of(context), std::move(runner));
}

/// Starts all runners that were added to the context and do not run yet.
/**
 * A runner whose queue is closed, for instance by its own end, is left out.
 *
 * @return how many were started.
 * @throws system_error   errc::stop_requested if the scope has been asked to stop.
 * @par Complexity        O(number of runners).
 * @par Exception safety  basic: runners started before the exception run.
 * @par Thread safety     safe from any thread.
 */
template <class Context>
std::size_t start_queue_runners(Context& context, coordinator& scope)
{
    return detail::start_queue_runners(detail::execution_context_of(context), scope);
}

}  // namespace sluice
