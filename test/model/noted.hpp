// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: how a waiter learns its outcome is the same for all hubs.

/// Who was told an outcome, or freed, in one step.
struct news
{
    std::vector<int> told = {};
    std::vector<int> abandoned = {};
};

/// A waiter that notes when it is told its outcome, or freed.
template <class Role>
class noted final : public Role
{
public:
    template <class... Arguments>
    noted(int id, news& all, Arguments&&... arguments)
        : Role(std::forward<Arguments>(arguments)...), id_(id), news_(all)
    {
    }

private:
    // Its time begins, and is over when a step says so.
    [[nodiscard]] bool linger() noexcept override { return true; }

    void deliver() noexcept override { news_.told.push_back(id_); }
    void abandon() noexcept override { news_.abandoned.push_back(id_); }
    [[nodiscard]] std::string describe() const override { return {}; }

    const int id_;
    news& news_;
};

}  // namespace sluice::model
