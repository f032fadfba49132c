// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/task_info.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <exception>
#include <memory>
#include <source_location>
#include <string>
#include <utility>

namespace sluice::detail {

class supervised_task;

// What may outlive a supervised task and its context: its name and how it ended. So it has nothing
// of the strand.
class task_record
{
public:
    // A location without a line stands for none.
    explicit task_record(std::string name, std::source_location spawned_at = {})
        : name_(std::move(name)), spawned_at_(spawned_at)
    {
    }

    task_record(const task_record&) = delete;
    task_record& operator=(const task_record&) = delete;
    ~task_record() = default;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    [[nodiscard]] const std::source_location& spawned_at() const noexcept
    {
        return spawned_at_;
    }

    // What follows is constant once the task has ended, and is read then by the waiters that were
    // told.

    [[nodiscard]] task_state state() const noexcept { return state_; }

    // What it threw; null also for a task that never ran to its end.
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

private:
    friend class coordinator_core;

    const std::string name_;
    const std::source_location spawned_at_;
    // Guarded by the mutex of the coordinator.
    std::weak_ptr<supervised_task> running_;  // empty before its start and after its end
    waiter_list waiters_;                     // empty after its end
    task_state state_ = task_state::running;
    std::exception_ptr failure_;
};

using record_ptr = std::shared_ptr<task_record>;

}  // namespace sluice::detail
