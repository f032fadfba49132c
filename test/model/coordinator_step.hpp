// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <vector>

namespace sluice::model::coordination {

// Why: what happens to a family of coordinators is a list of plain values, so that a failing
// list can be cut down, run again and printed.

enum class action : unsigned char
{
    make_child,     // coordinator `id`
    request_stop,   // because of `why`
    clear_stop,     //
    destroy,        // the coordinator; what it started goes on
    add_queue,      // queue `id` is to be closed on a stop
    lose_queue,     // queue `id` is destroyed
    add_task,       // task `id` begins
    end_task,       // task `id` ends, because of `why`
    wait_for_stop,  // operation `id` starts
    join,           // operation `id` starts; its grace period are `hours`
    cancel,         // operation `id`: operation_aborted
    time_out,       // operation `id`: its deadline passes
    deliver,        // operation `id`: its owner has the outcome
    forget,         // operation `id`: its owner goes away
    abandon,        // execution context `id` dies
    pass_time       // `hours` go by
};

// An exception; all that have the same `error` number are the same object.
enum class reason : unsigned char
{
    none,
    broken,          // a real error under all rules
    harmless,        // no error under the rule that says so
    end_of_queue,    // a clean stop by default
    queue_closed,    // so is this
    stop_requested,  // and this
    aborted          // what a cancellation causes
};

// How an operation is started, that is, what it does if it cannot complete at once.
enum class manner : unsigned char
{
    posted,     // waits; its outcome is always delivered later
    at_once,    // waits; one that is ready is complete when start() returns
    shortest,   // as at_once, by the attempt that coroutines make first
    cancelled,  // posted, and cancelled just before the start
    impatient,  // its deadline has passed: fails instead of waiting
    expired     // its deadline passed just before the start
};

// One thing that happens to a coordinator.
struct step
{
    action what = action::request_stop;
    int scope = 0;  // which coordinator; 0 is there from the beginning
    int id = 0;
    reason why = reason::none;
    int error = 0;  // number of the exception, if there is one
    int hours = 0;
    manner how = manner::posted;
    int context = 0;  // in which the owner of an operation lives; 0: in none that dies

    bool operator==(const step&) const = default;
};

using steps = std::vector<step>;

// What coordinators treat as an ordinary end.
enum class clean_rule : unsigned char
{
    by_default,
    own,  // harmless exceptions, and nothing else
    none  // nothing
};

[[nodiscard]] inline bool is_start(const step& s)
{
    return s.what == action::wait_for_stop || s.what == action::join;
}

/// What a failing list can do with instead, if it still fails.
[[nodiscard]] inline std::vector<step> simpler_than(const step& s)
{
    std::vector<step> result;
    const auto without = [&](bool has, auto&& simplify) {
        if (has)
            simplify(result.emplace_back(s));
    };
    without(s.scope != 0 && s.what != action::make_child, [](step& r) { r.scope = 0; });
    without(s.hours > 1, [](step& r) { --r.hours; });
    without(s.how != manner::posted, [](step& r) { r.how = manner::posted; });
    without(s.context != 0, [](step& r) { r.context = 0; });
    without(s.why != reason::none, [](step& r) { r.why = reason::none; });
    without(s.why > reason::broken, [](step& r) { r.why = reason::broken; });
    return result;
}

}  // namespace sluice::model::coordination
