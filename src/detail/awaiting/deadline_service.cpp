// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline_service.hpp>

#include <boost/system/error_code.hpp>

#include <utility>

namespace sluice::detail {

deadline_service::deadline_service(boost::asio::execution_context& context)
    : service(context), timer_(std::in_place, timer_executor(context))
{
}

void deadline_service::arm(deadline_entry& entry, time_point when)
{
    const std::lock_guard lock(mutex_);
    ensure_timer(when);
    entry.due = when;
    armed_.insert(entry);
}

bool deadline_service::try_rearm(deadline_entry& entry, time_point when) noexcept
{
    const std::lock_guard lock(mutex_);
    if (!timer_)
        return false;
    try {
        ensure_timer(when);
    } catch (...) {
        return false;
    }
    if (entry.is_linked())
        armed_.erase(armed_.iterator_to(entry));
    entry.due = when;
    armed_.insert(entry);
    return true;
}

void deadline_service::disarm(deadline_entry& entry) noexcept
{
    std::unique_lock lock(mutex_);
    if (entry.is_linked()) {
        armed_.erase(armed_.iterator_to(entry));
        // A timer that is left to run out would keep the context busy until then. One that is
        // merely early finds nothing due and is set again.
        if (armed_.empty() && timer_) {
            timer_->cancel();
            set_for_ = time_point::max();
        }
    }
    // Also if it was armed: perhaps again, while its first expiry runs.
    while (expires_elsewhere(entry))
        ended_.wait(lock);
}

bool deadline_service::expires_elsewhere(const deadline_entry& entry) const noexcept
{
    for (const expiry* each = running_; each != nullptr; each = each->next)
        if (each->entry == &entry)
            return each->thread != std::this_thread::get_id();
    return false;
}

void deadline_service::shutdown()
{
    const std::lock_guard lock(mutex_);
    armed_.clear();
    timer_.reset();
}

void deadline_service::start_wait(timer& on, time_point when)
{
    on.expires_at(when);
    on.async_wait([this](const boost::system::error_code& error) {
        if (!error)
            on_timer();
    });
}

void deadline_service::ensure_timer(time_point when)
{
    if (when < set_for_ || set_for_ == time_point::max())
        set_timer(when);
}

void deadline_service::set_timer(time_point when)
{
    if (set_for_ == time_point::max()) {
        start_wait(*timer_, when);
    } else {
        // Setting a timer gives up its wait before it finds that there is no memory for the
        // next one, and the others would never expire.
        timer earlier(timer_->get_executor());
        start_wait(earlier, when);
        *timer_ = std::move(earlier);
    }
    set_for_ = when;
}

void deadline_service::on_timer()
{
    std::unique_lock lock(mutex_);
    const auto now = clock::now();
    const auto later = armed_.upper_bound(
        now,
        [](time_point when, const deadline_entry& entry) { return when < entry.due; }
    );
    // First, because there is no saying how long the executors of those that are due take.
    set_for_ = time_point::max();
    if (later != armed_.end())
        set_timer(later->due);
    while (!armed_.empty() && armed_.begin()->due <= now)
        expire_first(lock);
}

// Without the lock, so that an executor that waits for another thread does not keep that one
// from arming and disarming deadlines.
void deadline_service::expire_first(std::unique_lock<std::mutex>& lock)
{
    deadline_entry& due = *armed_.begin();
    armed_.erase(armed_.begin());
    expiry running{&due, std::this_thread::get_id(), running_};
    running_ = &running;
    lock.unlock();
    due.expire();
    lock.lock();
    expiry** each = &running_;
    while (*each != &running)
        each = &(*each)->next;
    *each = running.next;
    ended_.notify_all();
}

}  // namespace sluice::detail
