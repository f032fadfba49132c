// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/closable.hpp>

#include <mutex>
#include <utility>

namespace sluice::detail {

void close_record::note(const closing& how, bool is_complete) noexcept
{
    const bool is_told = how.scope != nullptr && how.scope == stopped_by_;
    const bool cuts_off = how.cuts_off() && !(how.is_stop() && is_closed_ && is_complete);
    if (!is_closed_ || (cuts_off && !end_.cut_off && !is_told)) {
        end_ = {how.by, cuts_off, how.cause};
        stopped_by_ = how.scope;
    }
    is_closed_ = true;
}

errc close_record::code() const noexcept
{
    if (end_.cause)
        return errc::input_failed;
    return end_.cut_off ? errc::stop_requested : errc::end_of_queue;
}

void closable::close_with(std::exception_ptr cause, closer by) noexcept
{
    const auto mode = cause ? close_mode::cancel_pending : close_mode::drain;
    close({mode, by, std::move(cause)});
}

void closable::remove_feeder(std::exception_ptr failure) noexcept
{
    if (failure) {
        const std::lock_guard lock(mutex_);
        if (!feeder_failure_)
            feeder_failure_ = std::move(failure);
    }
    // acq_rel: the last one sees the failures of all
    if (fetch_add(feeders_, ~0U, std::memory_order_acq_rel) > 1)
        return;
    std::unique_lock lock(mutex_);
    std::exception_ptr cause = feeder_failure_;
    lock.unlock();
    close_with(std::move(cause), closer::producers);
}

}  // namespace sluice::detail
