// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/hub_registry.hpp>

#include <algorithm>
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

// The other side: the registries of a hub ------------------------------------------------------

// Or nothing waits any more: then it need not be, and a registry would keep the hub.
bool wait_hub::is_attached_to(const void* context) const noexcept
{
    return is_detached_ ||
           std::ranges::any_of(attached_, [context](const auto& registry) {
               return registry->context() == context;
           });
}

bool wait_hub::knows(const void* context) const noexcept
{
    if (home_context() == context)
        return true;
    const std::lock_guard lock(mutex_);
    return is_attached_to(context);
}

bool wait_hub::attach(const std::shared_ptr<hub_registry>& registry)
{
    // Both lists change under this lock: another waiter of the context that finds the registry
    // here relies on being found through it.
    const std::lock_guard lock(mutex_);
    if (is_attached_to(registry->context()))
        return true;
    attached_.reserve(attached_.size() + 1);
    const bool is_added = registry->add(*this);
    if (is_added)
        attached_.push_back(registry);
    return is_added;
}

void wait_hub::attach_home(const std::shared_ptr<hub_registry>& registry)
{
    if (attach(registry))
        home_context_.store(registry->context(), std::memory_order_relaxed);
}

std::uint64_t wait_hub::references() const noexcept
{
    const std::lock_guard lock(mutex_);
    // acquire: the owner of the only one sees everything the others did
    return users_.load(std::memory_order_acquire) - attached_.size();
}

void wait_hub::detach() noexcept
{
    std::vector<std::shared_ptr<hub_registry>> attached;
    {
        const std::lock_guard lock(mutex_);
        is_detached_ = true;
        attached.swap(attached_);
    }
    for (const auto& registry : attached)
        registry->remove(*this);
}

}  // namespace sluice::detail
