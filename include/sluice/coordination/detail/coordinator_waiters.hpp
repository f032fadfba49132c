// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/detail/wait_service.hpp>

#include <boost/asio/execution_context.hpp>

#include <exception>
#include <string>
#include <tuple>
#include <utility>

namespace sluice::detail {

// How the operations of a coordinator reach its core. `Role` is stop_waiter or join_waiter.
template <class Role>
class coordinator_waiter : public Role
{
public:
    [[nodiscard]] bool try_start() noexcept
    {
        return start(delivery::inline_if_ready, patience::gives_up) && settled();
    }

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

    // Before the operation is suspended: from now on it may outlive the coordinator.
    void retain() noexcept { retained_ = &core_; }

    void set_context(boost::asio::execution_context& context)
    {
        this->context_ = &context;
        attach(core_, context);
    }

protected:
    template <class... Arguments>
    explicit coordinator_waiter(coordinator_core& core, Arguments&&... arguments)
        : Role(std::forward<Arguments>(arguments)...), core_(core)
    {
    }

private:
    // An attempt that gave up leaves no trace.
    [[nodiscard]] bool settled() noexcept
    {
        if (this->error_ != errc::timed_out)
            return true;
        this->rearm();
        return false;
    }

    coordinator_core& core_;
    hub_ptr retained_;
};

class wait_for_stop_waiter : public coordinator_waiter<stop_waiter>
{
public:
    using signature = void(error_code);

    struct arguments
    {
        coordinator_core* core;
    };

    explicit wait_for_stop_waiter(arguments&& args) : coordinator_waiter(*args.core) {}

    void result() const
    {
        if (failed())
            throw system_error(error_, describe());
    }

    [[nodiscard]] std::tuple<error_code> outcome() const noexcept { return {error_}; }

    [[nodiscard]] std::string describe() const override { return "wait_for_stop"; }
};

class join_tasks_waiter : public coordinator_waiter<join_waiter>
{
public:
    using signature = void(std::exception_ptr);

    struct arguments
    {
        coordinator_core* core;
        time_limit grace_period;
    };

    explicit join_tasks_waiter(arguments&& args)
        : coordinator_waiter(*args.core, args.grace_period)
    {
    }

    void result() const
    {
        if (failed())
            std::rethrow_exception(exception());
    }

    [[nodiscard]] std::tuple<std::exception_ptr> outcome() const
    {
        return {failed() ? exception() : nullptr};
    }

    [[nodiscard]] std::string describe() const override { return "join"; }

private:
    [[nodiscard]] std::exception_ptr exception() const
    {
        return exception_ ? exception_
                          : std::make_exception_ptr(system_error(error_, describe()));
    }
};

}  // namespace sluice::detail
