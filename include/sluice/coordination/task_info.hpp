// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <source_location>
#include <string>

namespace sluice {

/// How far a task of a coordinator is, or how the coordinator counts its end.
enum class task_state
{
    /// It has not ended; perhaps it has not begun.
    running,

    /// It has returned, or has ended with an exception that is no error of the coordinator, such as
    /// errc::end_of_queue.
    completed,

    /// It has ended with an error.
    failed,

    /// A cancellation or a stop has ended it, or its execution context was destroyed.
    cancelled
};

/// A task of a coordinator that has not ended.
struct task_info
{
    /// As given to coordinator::spawn().
    std::string name;

    /// The queue operations it waits for, in words, such as "dequeue on queue 'lines'". Empty
    /// if it runs or is ready, or awaits something that is not sluice's, such as a socket or a
    /// coroutine on another executor.
    std::string waiting_on;

    /// When it began to wait or to await something else; or when that was over and it became
    /// ready; it may run since then.
    std::chrono::steady_clock::time_point since;

    /// Whether it is ready: what it waited for is there, and no thread of its executor is free, or
    /// another task has its strand.
    bool is_ready = false;

    /// Whether a thread runs it.
    bool is_running = false;

    /// Where spawn() was called for it. A task of a queue_runner has none: a line of 0.
    std::source_location spawned_at = {};
};

/// The task in words, for a log: "'parser' waiting on dequeue on queue 'lines' for 250 ms".
/**
 * One that awaits something that is not sluice's says where it was spawned instead.
 */
[[nodiscard]] std::string to_string(const task_info& task);

}  // namespace sluice
