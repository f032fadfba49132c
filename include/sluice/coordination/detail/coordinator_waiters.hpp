// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/detail/waiting/operation_forms.hpp>

#include <exception>
#include <string>
#include <tuple>
#include <utility>

namespace sluice::detail {

class wait_for_stop_waiter : public gives_nothing<stop_waiter>
{
public:
    struct arguments
    {
        coordinator_core* core;
    };

    explicit wait_for_stop_waiter(arguments&& args) noexcept : gives_nothing(args.core) {}

    [[nodiscard]] std::string describe() const override { return "wait_for_stop"; }

protected:
    ~wait_for_stop_waiter() = default;
};

class join_tasks_waiter : public join_waiter
{
public:
    using signature = void(std::exception_ptr);

    struct arguments
    {
        coordinator_core* core;
    };

    explicit join_tasks_waiter(arguments&& args) noexcept : join_waiter(args.core) {}

    void result() const
    {
        if (failed())
            std::rethrow_exception(failure_as_exception());
    }

    [[nodiscard]] std::tuple<std::exception_ptr> outcome() const
    {
        return {failed() ? failure_as_exception() : nullptr};
    }

    [[nodiscard]] std::string describe() const override { return "join"; }

protected:
    ~join_tasks_waiter() = default;
};

}  // namespace sluice::detail
