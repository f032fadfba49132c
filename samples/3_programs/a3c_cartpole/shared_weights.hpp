// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "actor_critic.hpp"

#include <memory>
#include <mutex>
#include <utility>

// The weights that all actors play with. The learner publishes new ones; an actor keeps those that
// it began a rollout with.
class shared_weights
{
public:
    explicit shared_weights(weights first) { publish(std::move(first)); }

    void publish(weights next)
    {
        auto copy = std::make_shared<const weights>(std::move(next));
        const std::lock_guard lock(mutex_);
        current_.swap(copy);
    }

    [[nodiscard]] std::shared_ptr<const weights> get() const
    {
        const std::lock_guard lock(mutex_);
        return current_;
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const weights> current_;  // guarded by mutex_
};
