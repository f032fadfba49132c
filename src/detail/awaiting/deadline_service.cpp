// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline_service.hpp>

#include <boost/system/error_code.hpp>

#include <utility>

namespace sluice::detail {

void deadline_service::insert(deadline_entry& entry, deadline_entry::time_point when)
{
    entry.when_ = when;
    if (armed_.empty()) {
        set_timer(*timer_, when);
    } else if (entry < *armed_.begin()) {
        // Setting a timer gives up its wait before it finds that there is no memory for the
        // next one, and the others would never expire.
        boost::asio::steady_timer earlier(timer_->get_executor());
        set_timer(earlier, when);
        *timer_ = std::move(earlier);
    }
    armed_.insert(entry);
}

void deadline_service::disarm(deadline_entry& entry) noexcept
{
    const std::lock_guard lock(mutex_);
    if (!entry.is_linked())
        return;
    armed_.erase(armed_.iterator_to(entry));
    // A timer that is left to run out would keep the context busy until then. One that is
    // merely early finds nothing due and is set again.
    if (armed_.empty() && timer_)
        timer_->cancel();
}

void deadline_service::shutdown()
{
    const std::lock_guard lock(mutex_);
    armed_.clear();
    timer_.reset();
}

void deadline_service::set_timer(
    boost::asio::steady_timer& timer,
    deadline_entry::time_point when
)
{
    timer.expires_at(when);
    timer.async_wait([this](const boost::system::error_code& error) {
        if (!error)
            on_timer();
    });
}

void deadline_service::on_timer()
{
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    while (!armed_.empty() && armed_.begin()->when_ <= now) {
        deadline_entry& due = *armed_.begin();
        armed_.erase(armed_.begin());
        due.expire();
    }
    if (!armed_.empty())
        set_timer(*timer_, armed_.begin()->when_);
}

}  // namespace sluice::detail
