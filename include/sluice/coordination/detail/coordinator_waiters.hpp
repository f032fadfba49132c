// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/detail/hub_operation.hpp>

#include <exception>
#include <string>
#include <tuple>
#include <utility>

namespace sluice::detail {

// What the operations of a coordinator have in common. `Role` is stop_waiter or join_waiter.
template <class Role>
class coordinator_waiter : public hub_operation<coordinator_core, Role>
{
public:
    // An attempt is over when it returns; one that gave up leaves no trace.
    [[nodiscard]] bool try_start() noexcept
    {
        (void)this->start(delivery::inline_if_ready, patience::gives_up);
        if (this->error() != errc::timed_out)
            return true;
        this->rearm();
        return false;
    }

protected:
    using hub_operation<coordinator_core, Role>::hub_operation;
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
            throw system_error(error(), describe());
    }

    [[nodiscard]] std::tuple<error_code> outcome() const noexcept { return {error()}; }

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
                          : std::make_exception_ptr(system_error(error(), describe()));
    }
};

}  // namespace sluice::detail
