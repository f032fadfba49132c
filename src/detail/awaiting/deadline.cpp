// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline.hpp>

#include <sluice/detail/awaiting/deadline_service.hpp>
#include <sluice/detail/waiting/waiter.hpp>

namespace sluice::detail {

void operation_deadline::enter(waiter& target, boost::asio::execution_context& context)
{
    target_ = &target;
    service_ = &boost::asio::use_service<deadline_service>(context);
}

void operation_deadline::set(const time_limit& limit)
{
    service_->arm(*this, limit.deadline());
}

void operation_deadline::leave(deadline_service& service) noexcept
{
    service.disarm(*this);
}

void deadline::arm(
    waiter& target,
    boost::asio::execution_context& context,
    const time_limit& limit
)
{
    if (!limit.is_set())  // or longer than the clock can count
        return;
    enter(target, context);
    set(limit);
}

void deadline::expire() noexcept
{
    target_->cancel(errc::timed_out);
}

void linger_deadline::arm(
    waiter& target,
    boost::asio::execution_context& context,
    const linger_limit& limit
)
{
    enter(target, context);
    others_ = limit.others();
    if (limit.first().is_set())
        set(limit.first());
}

// One that gives up is not armed; and without memory for a timer nothing would end the wait.
bool linger_deadline::linger() noexcept
{
    if (service_ == nullptr || others_.has_passed())
        return false;
    if (!lingers_)
        lingers_ = service_->try_rearm(*this, others_.deadline());
    return lingers_;
}

void linger_deadline::expire() noexcept
{
    target_->expire();
}

}  // namespace sluice::detail
