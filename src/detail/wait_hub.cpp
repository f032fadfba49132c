// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/wait_hub.hpp>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace sluice::detail {

// A delivery while it runs. What it calls may destroy coroutines, and with them queues and
// contexts, before it returns: a strand that has been shut down destroys at once what is
// posted to it. So each thread knows the deliveries that it is in.
class wait_hub::delivery_scope
{
public:
    // Announced under the mutex: an abandon() that finds these waiters no longer linked is
    // sure to find the delivery running.
    delivery_scope(wait_hub& hub, waiter_list& undelivered) noexcept
        : hub_(hub), undelivered_(undelivered), outer_(innermost)
    {
        if constexpr (core_parts::closing)
            fetch_add(hub_.users_, running_delivery, std::memory_order_relaxed);
        innermost = this;
    }

    delivery_scope(const delivery_scope&) = delete;
    delivery_scope& operator=(const delivery_scope&) = delete;

    ~delivery_scope()
    {
        innermost = outer_;
        const hub_ptr kept(detaches_ ? &hub_ : nullptr);
        if constexpr (core_parts::closing)
            hub_.leave(running_delivery);
        if (kept)
            kept->detach();
    }

    // How many of this hub's deliveries this thread is in.
    [[nodiscard]] static std::uint64_t count(const wait_hub& hub) noexcept
    {
        std::uint64_t found = 0;
        for (auto* scope = innermost; scope != nullptr; scope = scope->outer_)
            found += &scope->hub_ == &hub ? 1 : 0;
        return found;
    }

    // Calls detach() at the end of the innermost one; false if there is none.
    [[nodiscard]] static bool detach_at_end(const wait_hub& hub) noexcept
    {
        for (auto* scope = innermost; scope != nullptr; scope = scope->outer_)
            if (&scope->hub_ == &hub)
                return scope->detaches_ = true;
        return false;
    }

    // Takes out what would still be delivered to a context.
    static void collect(
        const wait_hub& hub,
        const void* context,
        waiter_list& abandoned
    ) noexcept
    {
        for (auto* scope = innermost; scope != nullptr; scope = scope->outer_)
            if (&scope->hub_ == &hub)
                move_those_of(context, scope->undelivered_, abandoned);
    }

private:
    static void move_those_of(
        const void* context,
        waiter_list& from,
        waiter_list& to
    ) noexcept
    {
        for (auto it = from.begin(); it != from.end();) {
            waiter& candidate = *it++;
            if (candidate.context_ == context) {
                candidate.unlink();
                to.push_back(candidate);
            }
        }
    }

    static thread_local constinit delivery_scope* innermost;

    wait_hub& hub_;
    waiter_list& undelivered_;
    delivery_scope* const outer_;
    bool detaches_ = false;
};

thread_local constinit wait_hub::delivery_scope* wait_hub::delivery_scope::innermost =
    nullptr;

void wait_hub::cancel(waiter& target, error_code why) noexcept
{
    critical_section section(*this);
    switch (target.phase_.load(std::memory_order_relaxed)) {
    case waiter::phase::idle:
        if (!target.failed() || why != errc::timed_out)
            target.fail(why);
        return;
    case waiter::phase::waiting:
        withdraw(target);
        section.decide_failed(target, why);
        break;
    case waiter::phase::decided:
        if ((target.was_ready_ && why == errc::timed_out) || !take_back(target))
            return;
        target.fail(why);
        // release: the delivery must see the outcome as changed here
        target.phase_.store(waiter::phase::decided, std::memory_order_release);
        break;
    case waiter::phase::reclaiming:
    case waiter::phase::delivered:
        return;
    }
    settle(section);
}

void wait_hub::forget(waiter& target, deliveries state) noexcept
{
    // The usual case: the owner has the outcome, or never started. No cancellation can be
    // at work on either, so there is nothing to synchronise with.
    if (!target.is_pending())
        return;
    {
        critical_section section(*this);
        switch (target.phase_.load(std::memory_order_relaxed)) {
        case waiter::phase::waiting:
            withdraw(target);
            target.unlink();
            target.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
            settle(section);
            return;
        case waiter::phase::decided:
            if (take_back(target)) {
                target.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
                settle(section);
            }
            break;
        default:
            return;
        }
    }
    if (state == deliveries::may_run)
        wait_for_running_deliveries();
}

bool wait_hub::take_back(waiter& target) noexcept
{
    if constexpr (!core_parts::take_back)
        return false;
    // The race with the delivery: whichever of the two moves the phase first wins.
    if (target.failed() || !compare_exchange(
                               target.phase_,
                               waiter::phase::decided,
                               waiter::phase::reclaiming,
                               std::memory_order_relaxed
                           ))
        return false;
    interleaving_point();
    if (reclaim(target))
        return true;
    target.phase_.store(waiter::phase::decided, std::memory_order_release);
    return false;
}

void wait_hub::abandon(const void* context) noexcept
{
    waiter_list abandoned;
    {
        critical_section section(*this);
        collect(context, abandoned);
        settle(section);
    }
    interleaving_point();
    wait_for_running_deliveries();
    delivery_scope::collect(*this, context, abandoned);
    while (!abandoned.empty()) {
        waiter& next = abandoned.front();
        abandoned.pop_front();
        if (next.context_ != context)
            next.orphan();
        next.abandon();
    }
    context_destroyed(context);
    // The next context may be made at the same address.
    if (home_context() == context)
        set_home_context(nullptr);
}

void wait_hub::collect_from(
    waiter_list& list,
    const void* context,
    waiter_list& abandoned
) noexcept
{
    for (auto it = list.begin(); it != list.end();) {
        waiter& candidate = *it++;
        if (context != nullptr && candidate.context_ != context)
            continue;
        withdraw(candidate);
        candidate.unlink();
        candidate.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
        abandoned.push_back(candidate);
    }
}

void wait_hub::critical_section::unlock_and_deliver() noexcept
{
    const delivery_scope running(hub_, decided_);
    hub_.mutex_.unlock();
    while (!decided_.empty()) {
        // Unlinked before it is delivered: afterwards it may be gone.
        waiter& next = decided_.front();
        decided_.pop_front();
        interleaving_point();
        next.deliver();
    }
}

void wait_hub::wait_for_running_deliveries() const noexcept
{
    constexpr unsigned deliveries_shift = 32;
    const std::uint64_t own = delivery_scope::count(*this);
    // acquire: what those deliveries did happens before the return
    while (users_.load(std::memory_order_acquire) >> deliveries_shift > own)
        std::this_thread::yield();
}

void wait_hub::attach(const std::shared_ptr<hub_registry>& registry)
{
    const auto is_attached = [&] {
        return std::find(attached_.begin(), attached_.end(), registry) != attached_.end();
    };
    {
        const std::lock_guard lock(mutex_);
        if (is_attached())
            return;
    }
    registry->add(*this);
    try {
        const std::lock_guard lock(mutex_);
        if (!is_attached())
            attached_.push_back(registry);
    } catch (...) {
        registry->remove(*this);
        throw;
    }
}

void wait_hub::detach() noexcept
{
    if (delivery_scope::detach_at_end(*this))
        return;
    std::vector<std::shared_ptr<hub_registry>> attached;
    {
        const std::lock_guard lock(mutex_);
        attached.swap(attached_);
    }
    for (const auto& registry : attached)
        registry->remove(*this);
    // No registry knows us any more, so no context would wait for a delivery to it.
    wait_for_running_deliveries();
}

void wait_hub::detach_from(const hub_registry& registry) noexcept
{
    const std::lock_guard lock(mutex_);
    std::erase_if(attached_, [&](const auto& other) { return other.get() == &registry; });
}

void hub_registry::add(wait_hub& hub)
{
    const std::lock_guard lock(mutex_);
    if (!shut_down_)
        hubs_.insert(&hub);
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
    for (const hub_ptr& hub : hubs) {
        hub->abandon(context_);
        hub->detach_from(*this);
    }
}

}  // namespace sluice::detail
