// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>

#include <boost/asio/execution_context.hpp>

namespace sluice::detail {

// For a context that its hub, or one of its hubs, does not know yet.
[[nodiscard]] bool attach_elsewhere(
    waiter& target,
    boost::asio::execution_context& context
);

// Connects an operation with the context of its owner before it waits. Most often that is the
// home of its hub, and then it takes a few instructions. False: the context is being destroyed,
// so nothing would end the wait.
[[nodiscard, gnu::always_inline]] inline bool attach(
    waiter& target,
    boost::asio::execution_context& context
)
{
    if (target.hub_ != nullptr && target.hub_->home_context() == &context)
        target.waiter::set_context(&context);
    else
        return attach_elsewhere(target, context);
    return true;
}

// To be called once for a new hub, with the context of its own executor.
void attach_home(wait_hub& hub, boost::asio::execution_context& context);

}  // namespace sluice::detail
