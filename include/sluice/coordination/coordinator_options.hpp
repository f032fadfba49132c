// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/task_info.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <vector>

namespace sluice {

/// True for an exception that is an ordinary end of work: a `system_error` whose code equals
/// `condition::clean_stop`.
[[nodiscard]] bool is_clean_stop(const std::exception_ptr& exception) noexcept;

/// The options of a coordinator.
struct coordinator_options
{
    /// How long join() waits for the tasks after a stop was requested, counted from the
    /// request, or from the call of join() if that is later. 20 seconds by default, so that join()
    /// names the tasks that still run before Kubernetes, after 30 seconds, or systemd, after 90,
    /// kills the process. Zero or less: join() does not wait for such tasks. Before the stop there
    /// is no limit; `join().within(duration)` is one, whatever this is. A scope, with_tasks(), goes
    /// on waiting and reports the tasks once more.
    std::chrono::steady_clock::duration stop_grace_period = std::chrono::seconds(20);

    /// How long after a stop was requested on_overdue is called. 5 seconds by default; should
    /// be much less than the grace period, whose end it does not change.
    std::chrono::steady_clock::duration overdue_after = std::chrono::seconds(5);

    /// Called with the tasks that still run `overdue_after` a stop, those of children included:
    /// to log what holds up the end. None by default. Called on the executor of the coordinator,
    /// once for each stop, and not for a coordinator that has been destroyed; the destructor does
    /// not wait for a call that has begun. If the parent was stopped, too, and has an on_overdue,
    /// only that one is called. What it throws is an error of the coordinator, as if a task had
    /// thrown it.
    std::function<void(const std::vector<task_info>& tasks)> on_overdue = nullptr;

    /// Tells which exceptions are no errors: a task that ends with one has ended, and a stop
    /// requested with one is a stop without an error. Not asked about a queue_runner whose
    /// operation found another queue closed, which is an error (S53). Called from any thread. If it
    /// throws, the exception that it was asked about is an error.
    std::function<bool(const std::exception_ptr&)> is_clean_stop = sluice::is_clean_stop;
};

}  // namespace sluice
