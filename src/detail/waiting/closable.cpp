// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/closable.hpp>

#include <mutex>
#include <utility>

namespace sluice::detail {

void closable::close_with(std::exception_ptr cause, closer by) noexcept
{
    const auto mode = cause ? close_mode::cancel_pending : close_mode::drain;
    close({mode, by, std::move(cause)});
}

void closable::add_feeder() noexcept
{
    const std::lock_guard lock(mutex_);
    ++feeders_;
}

void closable::remove_feeder(std::exception_ptr failure) noexcept
{
    std::exception_ptr cause;
    {
        const std::lock_guard lock(mutex_);
        if (failure && !feeder_failure_)
            feeder_failure_ = std::move(failure);
        if (--feeders_ > 0)
            return;
        cause = feeder_failure_;
    }
    close_with(std::move(cause), closer::producers);
}

}  // namespace sluice::detail
