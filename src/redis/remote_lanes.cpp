// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_lanes.hpp>

#include <utility>

namespace sluice::redis::detail {

bool remote_lane::is_first(const remote_waiter& target) const noexcept
{
    return target.is_linked() && &waiting_.front() == &target;
}

void remote_lane::entered(const remote_waiter& target) noexcept
{
    if (is_first(target))
        ask_again();
}

void remote_lane::leaves(remote_waiter& target) noexcept
{
    empty_slot_of(target);
    if (is_first(target))
        ask_again();
}

void remote_lane::empty_slot_of(remote_waiter& target) noexcept
{
    if (target.is_sent())  // (E3)
        served_[target.place] = nullptr;
    target.place = remote_waiter::not_sent;
}

void remote_lane::serve(std::vector<remote_waiter*> served) noexcept
{
    served_ = std::move(served);
    for (std::size_t i = 0; i < served_.size(); ++i)
        served_[i]->place = i;
}

std::vector<remote_waiter*> remote_lane::take_served() noexcept
{
    for (remote_waiter* const each : served_)
        if (each != nullptr)
            each->place = remote_waiter::not_sent;
    return std::exchange(served_, {});
}

void remote_lane::end_turn(bool is_refused) noexcept
{
    is_busy_ = false;
    is_blocked_ = is_refused && !has_news_;  // (E2)
    has_news_ = false;
}

void remote_lane::ask_again() noexcept
{
    has_news_ = is_busy_;
    is_blocked_ = false;
}

void remote_lane::reset() noexcept
{
    is_busy_ = is_blocked_ = has_news_ = false;
}

void remote_lanes::start_turn(lane from, lane carrier) noexcept
{
    (*this)[from].start_turn();
    (*this)[carrier].start_turn();
    if (from != carrier)
        carrier_ = carrier;
}

bool remote_lanes::take_carrier(lane from) noexcept
{
    if (carrier_ != from)
        return false;
    carrier_.reset();
    return true;
}

void remote_lanes::reset() noexcept
{
    for (remote_lane& each : lanes_)
        each.reset();
}

}  // namespace sluice::redis::detail
