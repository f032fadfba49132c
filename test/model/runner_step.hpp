// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <vector>

namespace sluice::model::running {

// Why: what happens to queue runners is a list of plain values, so that a failing list can be
// cut down, run again and printed.

enum class action : unsigned char
{
    start,           // runner `runner`, in coordinator `scope`
    start_alone,     // the same without a coordinator
    finish,          // what a worker has called ends, because of `why`
    forget,          // the coroutine of a worker is destroyed while it waits
    close,           // somebody else closes the queue of a runner, as `how` says
    request_stop,    // of coordinator `scope`, because of `why`
    clear_stop,      //
    destroy_scope,   // the coordinator; its tasks go on
    destroy_runner,  // its workers go on
    lose_context,  // it dies, and the coordinators after it; a new one is there for others
    run            // everything that is ready, until nothing is
};

// An exception; each has its own `error` number.
enum class reason : unsigned char
{
    none,
    broken,          // a real error
    harmless,        // no error for a coordinator, which has a rule that says so
    end_of_queue,    // a clean stop
    queue_closed,    // so is this
    stop_requested,  // and this
    aborted          // what a cancellation causes
};

// How a queue is closed.
enum class closing : unsigned char
{
    drain,
    cancel_pending,
    with_cause  // `error`
};

// One thing that happens.
struct step
{
    action what = action::run;
    int runner = 0;
    int worker = 0;
    int scope = 0;
    reason why = reason::none;
    int error = 0;  // number of the exception, if there is one
    int more = 0;   // how many of the next calls of the worker return at once
    closing how = closing::drain;

    bool operator==(const step&) const = default;
};

using steps = std::vector<step>;

// What the operation of a worker does while it waits. On its way out it gives its exception.
enum class manner : unsigned char
{
    deaf,      // goes on whatever happens, until it is finished
    obedient,  // ends when it is cancelled
    producer   // so it does, and also when its queue is closed and drops what waits
};

// The operations of each runner.
using cast = std::vector<std::vector<manner>>;

/// What a failing list can do with instead, if it still fails.
[[nodiscard]] inline std::vector<step> simpler_than(const step& s)
{
    std::vector<step> result;
    const auto without = [&](bool has, auto&& simplify) {
        if (has)
            simplify(result.emplace_back(s));
    };
    without(s.scope != 0, [](step& r) { r.scope = 0; });
    without(s.more > 0, [](step& r) { --r.more; });
    without(s.why != reason::none, [](step& r) { r.why = reason::none; });
    without(s.why > reason::broken, [](step& r) { r.why = reason::broken; });
    without(s.how != closing::drain, [](step& r) { r.how = closing::drain; });
    return result;
}

}  // namespace sluice::model::running
