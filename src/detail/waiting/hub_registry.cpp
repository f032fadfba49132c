// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/hub_registry.hpp>

#include <mutex>

namespace sluice::detail {

bool hub_registry::add(wait_hub& hub)
{
    const std::lock_guard lock(mutex_);
    if (!shut_down_)
        hubs_.insert(&hub);
    return !shut_down_;
}

void hub_registry::remove(wait_hub& hub) noexcept
{
    const hub_ptr last_reference(&hub);  // released after the lock
    const std::lock_guard lock(mutex_);
    hubs_.erase(&hub);
}

void hub_registry::shut_down() noexcept
{
    std::set<hub_ptr> hubs;
    {
        const std::lock_guard lock(mutex_);
        shut_down_ = true;
        hubs.swap(hubs_);
    }
    for (const hub_ptr& hub : hubs)
        hub->abandon(context_);
}

}  // namespace sluice::detail
