// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>

#include <string>
#include <utility>

namespace sluice::model {

// Why: to coordinators and runners a queue is something that can be closed.

/// A queue in which nothing waits; what close() does is up to who derives from it.
class idle_queue : public sluice::detail::closable
{
public:
    explicit idle_queue(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] bool is_orphaned() const noexcept override { return orphaned; }
    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    [[nodiscard]] std::string describe() const override { return name_; }

    bool orphaned = false;

private:
    void withdraw(sluice::detail::waiter&) noexcept override {}
    bool reclaim(sluice::detail::waiter&) noexcept override { return false; }
    void settle(critical_section&) noexcept override {}
    void collect(const void*, sluice::detail::waiter_list&) noexcept override {}

    const std::string name_;
};

}  // namespace sluice::model
