// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/connection.hpp>

#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/waiting/hub_registry.hpp>

#include <memory>

namespace sluice::detail {
namespace {

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

    // One that is made while its context shuts down is never told of that.
    ~wait_service() override { registry_->shut_down(); }

    [[nodiscard]] const std::shared_ptr<hub_registry>& registry() const noexcept
    {
        return registry_;
    }

private:
    void shutdown() override { registry_->shut_down(); }

    const std::shared_ptr<hub_registry> registry_;
};

const std::shared_ptr<hub_registry>& registry_of(boost::asio::execution_context& context)
{
    return boost::asio::use_service<wait_service>(context).registry();
}

}  // namespace

bool attach_elsewhere(waiter& target, boost::asio::execution_context& context)
{
    target.set_context(&context);
    while (wait_hub* const hub = target.hub_to_attach())
        if (!hub->attach(registry_of(context)))
            return false;
    return true;
}

void attach_home(wait_hub& hub, boost::asio::execution_context& context)
{
    hub.attach_home(registry_of(context));
}

wait_log* enter_log(
    const boost::asio::any_io_executor& executor,
    waiter& operation
) noexcept
{
    const auto* const task = executor.target<supervised_executor>();
    if (task == nullptr)
        return nullptr;
    task->log().begin(operation);
    return &task->log();
}

void leave_log(wait_log& log, waiter& operation) noexcept
{
    log.end(operation);
}

}  // namespace sluice::detail
