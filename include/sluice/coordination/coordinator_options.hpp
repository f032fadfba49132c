// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <exception>
#include <functional>

namespace sluice {

/// True for an exception that is an ordinary end of work: a `system_error` whose code equals
/// `condition::clean_stop`.
[[nodiscard]] bool is_clean_stop(const std::exception_ptr& exception) noexcept;

/// The options of a coordinator.
struct coordinator_options
{
    /// How long join() waits for the tasks after a stop was requested, counted from the
    /// request, or from the call of join() if that is later. 120 seconds by default, as in
    /// TensorFlow; zero or less: join() does not wait for tasks that still run. Before the
    /// stop there is no limit.
    std::chrono::steady_clock::duration stop_grace_period = std::chrono::seconds(120);

    /// Tells which exceptions are no errors: a task that ends with one has ended, and a stop
    /// requested with one is a stop without an error. Called from any thread; must not throw.
    std::function<bool(const std::exception_ptr&)> is_clean_stop = sluice::is_clean_stop;
};

}  // namespace sluice
