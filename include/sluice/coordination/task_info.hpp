// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <string>

namespace sluice {

/// A task of a coordinator that has not ended.
struct task_info
{
    /// As given to coordinator::spawn().
    std::string name;

    /// The queue operations it waits for, in words, such as "dequeue on queue 'lines'". Empty
    /// if it runs or is ready, or waits for something that is not sluice's, such as a socket.
    std::string waiting_on;

    /// When it began to wait, or when that was over and it became ready; it may run since then.
    std::chrono::steady_clock::time_point since;

    /// Whether it is ready: what it waited for is there, and no thread of its executor is free.
    bool is_ready = false;
};

/// The task in words, for a log: "'parser' waiting on dequeue on queue 'lines' for 250 ms".
[[nodiscard]] std::string to_string(const task_info& task);

}  // namespace sluice
