// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/waiter.hpp>

#include <sluice/detail/waiting/claim.hpp>
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
    cancel(errc::timed_out);
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

waiter* waiter::try_claim_both(waiter& a, waiter& b, bool completes) noexcept
{
    // Neither may pass or take a row for a select that was decided elsewhere.
    if (a.lost_claim() || b.lost_claim())
        return a.lost_claim() ? &a : &b;
    claim* const of_a = a.claim_;
    claim* const of_b = completes && !b.has_claim_ ? b.claim_ : nullptr;
    if (const claim* const lost = claim::try_take_both(of_a, of_b))
        return lost == of_a ? &a : &b;
    a.has_claim_ = of_a != nullptr;
    b.has_claim_ = b.has_claim_ || of_b != nullptr;
    return nullptr;
}

bool waiter::take_claim() noexcept
{
    has_claim_ = claim_->try_take();
    return has_claim_;
}

bool waiter::is_claim_taken() const noexcept
{
    return claim_->is_taken();
}

}  // namespace sluice::detail
