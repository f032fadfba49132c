// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/handler_op.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/async_result.hpp>

#include <type_traits>
#include <utility>

namespace sluice::detail {

// What Asio calls, at once or when a deferred operation is started, with the handler that it has
// made of a token.
template <class Waiter, class Executor, class Limit>
class initiation
{
public:
    using executor_type = Executor;

    initiation(const Executor& executor, const Limit& limit)
        : executor_(executor), limit_(limit)
    {
    }

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

    template <class Handler>
    void operator()(Handler&& handler, typename Waiter::arguments args) const
    {
        handler_op<Waiter, std::decay_t<Handler>, Executor, Limit>::initiate(
            std::move(args),
            std::decay_t<Handler>(std::forward<Handler>(handler)),
            executor_,
            limit_
        );
    }

private:
    Executor executor_;
    [[no_unique_address]] Limit limit_;
};

// Starts an operation with a completion token. `executor` is for handlers that have none.
template <class Waiter, class Executor, class Token, class Limit = no_limit>
auto initiate(
    typename Waiter::arguments&& args,
    const Executor& executor,
    Token&& token,
    const Limit& limit = {}
)
{
    return boost::asio::async_initiate<Token, typename Waiter::signature>(
        initiation<Waiter, Executor, Limit>(executor, limit),
        token,
        std::move(args)
    );
}

}  // namespace sluice::detail
