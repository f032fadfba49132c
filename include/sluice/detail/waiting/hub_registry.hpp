// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

#include <set>

namespace sluice::detail {

// The hubs in which waiters of one execution context may be found when it is destroyed. It
// outlives the context, so that context and hubs can go in any order.
class hub_registry
{
public:
    explicit hub_registry(const void* context) noexcept : context_(context) {}

    [[nodiscard]] const void* context() const noexcept { return context_; }

    // False: the context is dead already, and nothing is added.
    [[nodiscard]] bool add(wait_hub& hub);
    void remove(wait_hub& hub) noexcept;

    // The context is being destroyed: abandons its waiters everywhere.
    void shut_down() noexcept;

private:
    const void* const context_;
    mutex mutex_;
    std::set<hub_ptr> hubs_;  // guarded by mutex_
    bool shut_down_ = false;  // guarded by mutex_
};

}  // namespace sluice::detail
