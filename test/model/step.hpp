// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/element_waiters.hpp>

#include <cstddef>
#include <numeric>
#include <vector>

namespace sluice::model {

// Why: what happens to a queue is a list of plain values, so that a failing list can be cut
// down, run again and printed.

using sluice::detail::demand;

enum class action : unsigned char
{
    enqueue,
    dequeue,
    cancel,            // operation_aborted
    time_out,          // its deadline passes
    expire,            // a batch that lingers has done so for its time
    deliver,           // its delivery runs: the owner has the outcome
    forget,            // its owner goes away
    lose,              // another branch of its select has won, in another queue
    abandon,           // an execution context dies, and with it who waits there
    close,             // drains
    cancel_pending,    // closes, and fails the waiting enqueues
    close_with_cause,  // that, and consumers get the cause after the drain
    shut_down          // the queue is destroyed
};

// How an operation is started, that is, what it does if it cannot complete at once.
enum class manner : unsigned char
{
    posted,     // waits; its outcome is always delivered later
    at_once,    // waits; one that is ready is complete when start() returns
    shortest,   // as at_once, by the fast path that coroutines try first
    impatient,  // posted, but its deadline has passed: fails instead of waiting
    expired,    // at_once, and its deadline passed just before the start
    cancelled,  // posted, and cancelled just before the start
    attempt     // a try_ form: takes or brings what it can, and that is that
};

// One thing that happens to a queue.
struct step
{
    action what = action::enqueue;
    int id = 0;             // of the operation, or else of the context or the cause
    std::size_t count = 0;  // rows, or how many elements are asked for
    int first = 0;          // the rows are first, first + 1, ...
    demand kind = demand::one;
    manner how = manner::posted;
    int context = 0;         // in which its owner lives; 0: in none that dies
    bool is_branch = false;  // of a select

    bool operator==(const step&) const = default;
};

using steps = std::vector<step>;

// The queue's own context: with it the queue dies for all waiters.
inline constexpr int home = 1;

[[nodiscard]] inline bool is_start(const step& s)
{
    return s.what == action::enqueue || s.what == action::dequeue;
}

[[nodiscard]] inline bool is_close(const step& s)
{
    return s.what >= action::close;
}

[[nodiscard]] inline std::vector<int> rows_of(const step& s)
{
    std::vector<int> rows(s.count);
    std::iota(rows.begin(), rows.end(), s.first);
    return rows;
}

/// What a failing list can do with instead, if it still fails.
[[nodiscard]] inline std::vector<step> simpler_than(const step& s)
{
    std::vector<step> result;
    const auto without = [&](bool has, auto&& simplify) {
        if (has)
            simplify(result.emplace_back(s));
    };
    without(is_start(s) && s.count > 1, [](step& r) { --r.count; });
    without(s.how != manner::posted, [](step& r) { r.how = manner::posted; });
    without(s.context != 0, [](step& r) { r.context = 0; });
    without(s.is_branch, [](step& r) { r.is_branch = false; });
    without(s.what == action::time_out || s.what == action::expire, [](step& r) {
        r.what = action::cancel;
    });
    return result;
}

}  // namespace sluice::model
