// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/report/trace_options.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace sluice {

class monitor;

/// Records a trace of a program while it lives; made by monitor::trace().
/**
 * It looks at intervals, so what a task does between two looks is not seen, and a span begins and
 * ends at a look. There are no arrows from an enqueue to the dequeue of the same element, because
 * queues do not mark their elements.
 *
 * @par Example
 * @code
 * auto recorder = watch.trace({.interval = 10ms});
 * // ...
 * std::ofstream("trace.json") << recorder.to_json();
 * @endcode
 *
 * @par Object lifetime  must die before the monitor. While it lives its timer keeps the execution
 *                       context of the monitor busy: destroy it, or call stop(), before you wait
 *                       for that to run out of work.
 * @par Thread safety    Distinct objects: safe. Shared objects: safe, but for the destructor.
 */
class trace_recorder
{
public:
    trace_recorder(const trace_recorder&) = delete;
    trace_recorder& operator=(const trace_recorder&) = delete;
    ~trace_recorder();

    /// Ends the recording. Idempotent.
    void stop();

    /// How many events were dropped because others came later.
    [[nodiscard]] std::uint64_t dropped() const;

    /// What was recorded so far, as the JSON of Chrome trace events: write it to a file, and open
    /// that with Perfetto or chrome://tracing.
    [[nodiscard]] std::string to_json() const;

private:
    friend monitor;

    class state;

    trace_recorder(const monitor& watched, trace_options options);

    const std::shared_ptr<state> state_;
};

}  // namespace sluice
