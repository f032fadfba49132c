// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/waiter.hpp>

#include <sluice/detail/waiting/operation_failure.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

namespace sluice::detail {

void waiter::cancel(error_code why) noexcept
{
    hub_->cancel(*this, why);
}

void waiter::cancel_without_effect(error_code why) noexcept
{
    if (hub_ != nullptr)
        hub_->cancel_without_effect(*this, why);
    else
        cancel(why);  // a select, of which nothing can be in part
}

wait_hub* waiter::hub_to_attach() const noexcept
{
    return hub_->knows(context_) ? nullptr : hub_;
}

void waiter::expire() noexcept
{
    hub_->expire(*this);
}

void waiter::throw_failure(const std::string& numbers) const
{
    if (exception_)
        std::rethrow_exception(exception_);
    throw operation_failure(error(), describe() + numbers, hub_);
}

std::exception_ptr waiter::failure_as_exception() const
{
    return exception_ ? exception_
                      : std::make_exception_ptr(system_error(error(), describe()));
}

}  // namespace sluice::detail
