// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/runner/detail/runner_core.hpp>

#include <exception>
#include <string>
#include <tuple>

namespace sluice::detail {

// queue_runner::join(). Never a branch of a select, so it has no claim.
class join_workers_waiter : public waiter
{
public:
    using signature = void(std::exception_ptr);

    struct arguments
    {
        runner_core* core;
    };

    explicit join_workers_waiter(arguments&& args) noexcept : waiter(0, args.core) {}

    void result() const
    {
        if (failed())
            throw_failure();
    }

    [[nodiscard]] std::tuple<std::exception_ptr> outcome() const
    {
        return {failed() ? failure_as_exception() : nullptr};
    }

    [[nodiscard]] std::string describe() const override
    {
        return "join on " + hub_->describe();
    }

protected:
    ~join_workers_waiter() = default;
};

}  // namespace sluice::detail
