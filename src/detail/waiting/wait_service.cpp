// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_service.hpp>

#include <sluice/detail/waiting/hub_registry.hpp>

namespace sluice::detail {

wait_service::wait_service(boost::asio::execution_context& context)
    : service(context), registry_(std::make_shared<hub_registry>(&context))
{
}

wait_service::~wait_service()
{
    registry_->shut_down();
}

void wait_service::shutdown()
{
    registry_->shut_down();
}

bool attach_elsewhere(waiter& target, boost::asio::execution_context& context)
{
    target.set_context(&context);
    while (wait_hub* const hub = target.hub_to_attach())
        if (!hub->attach(boost::asio::use_service<wait_service>(context).registry()))
            return false;
    return true;
}

void attach_home(wait_hub& hub, boost::asio::execution_context& context)
{
    hub.attach_home(boost::asio::use_service<wait_service>(context).registry());
}

}  // namespace sluice::detail
