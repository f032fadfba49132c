// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/hub_registry.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

#include <boost/asio/execution_context.hpp>

#include <memory>

namespace sluice::detail {

// Tells the hubs when an execution context is destroyed (P12). One per context, made when
// the first queue or coordinator uses it.
class wait_service final : public boost::asio::execution_context::service
{
public:
    using key_type = wait_service;
    static inline boost::asio::execution_context::id id;

    explicit wait_service(boost::asio::execution_context& context)
        : service(context), registry_(std::make_shared<hub_registry>(&context))
    {
    }

    [[nodiscard]] const std::shared_ptr<hub_registry>& registry() const noexcept
    {
        return registry_;
    }

    // One that is made while its context shuts down is never told of that.
    ~wait_service() override { registry_->shut_down(); }

private:
    void shutdown() override { registry_->shut_down(); }

    std::shared_ptr<hub_registry> registry_;
};

// For a context that its hub, or one of its hubs, does not know yet.
[[nodiscard, gnu::noinline]] inline bool attach_elsewhere(
    waiter& target,
    boost::asio::execution_context& context
)
{
    target.set_context(&context);
    while (wait_hub* const hub = target.hub_to_attach())
        if (!hub->attach(boost::asio::use_service<wait_service>(context).registry()))
            return false;
    return true;
}

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
inline void attach_home(wait_hub& hub, boost::asio::execution_context& context)
{
    hub.attach_home(boost::asio::use_service<wait_service>(context).registry());
}

}  // namespace sluice::detail
