// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/wait_hub.hpp>
#include <sluice/detail/wait_service.hpp>

#include <boost/asio/execution_context.hpp>

#include <utility>

namespace sluice::detail {

// How an operation reaches the hub it waits in. `Core` is the hub, a queue's or a
// coordinator's, and `Role` the kind of waiter it knows.
template <class Core, class Role>
class hub_operation : public Role
{
public:
    [[nodiscard]] bool start(delivery how, patience waits) noexcept
    {
        return core_.start(*this, how, waits);
    }

    void cancel(error_code why) noexcept { core_.cancel(*this, why); }

    void finish_delivery() noexcept { core_.finish_delivery(*this); }

    // One that is over, or never began, holds no reference: its core may be gone.
    void forget(wait_hub::deliveries state) noexcept
    {
        if (this->is_pending())
            core_.forget(*this, state);
    }

    // Before the operation is suspended: from now on it may outlive queue or coordinator,
    // and ends with the context. Called once.
    void set_context(boost::asio::execution_context& context)
    {
        intrusive_ptr_add_ref(&core_);
        this->keeps_hub_ = true;
        this->context_ = &context;
        attach(core_, context);
    }

protected:
    template <class... Arguments>
    explicit hub_operation(Core& core, Arguments&&... arguments)
        : Role(std::forward<Arguments>(arguments)...), core_(core)
    {
    }

    ~hub_operation()
    {
        if (this->keeps_hub_)
            intrusive_ptr_release(&core_);
    }

    Core& core_;
};

}  // namespace sluice::detail
