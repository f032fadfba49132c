// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/report/trace_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sluice::report {

/// What happened when, as Chrome trace events, which Perfetto and chrome://tracing draw.
/**
 * Each worker has a track with spans: busy, waiting to enqueue, waiting to dequeue, ready without a
 * free thread. Each queue has a counter with its size. Closing, a stop and the first error are
 * marks. Only the last events are kept, as many as trace_options::capacity says; how many were
 * dropped is in the file, too.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe.
 */
class trace
{
public:
    /// The clock of the spans.
    using clock = std::chrono::steady_clock;

    /// Makes an empty trace; its time begins now.
    explicit trace(std::string name, trace_options options = {});

    trace(const trace&) = delete;
    trace& operator=(const trace&) = delete;
    ~trace();

    /// Adds a track for spans, such as that of a worker.
    /**
     * @param name  shown beside the track.
     * @return what span() calls it.
     */
    [[nodiscard]] std::size_t add_track(std::string name);

    /// Adds a span to a track. Those of a track must not overlap. One that is idle is left out.
    void add_span(
        std::size_t track,
        metrics::activity what,
        clock::time_point begin,
        clock::time_point end
    );

    /// Adds the sizes of the queues that have changed, and a mark for what is new since the last
    /// call: a queue that is closed, a stop, the first error.
    /**
     * From the ten-thousandth name or mark on, new ones are dropped and counted.
     */
    void add_figures(const metrics::snapshot& now);

    /// Adds what the tasks of a snapshot do: each is a track, on which it does so from this call to
    /// the next one.
    /**
     * Two tasks of one name have a track each. From the thousandth track on, new names are dropped
     * and counted.
     */
    void add_tasks(const metrics::snapshot& now);

    /// How many events were dropped, because others came later or there were too many names.
    [[nodiscard]] std::uint64_t dropped() const;

    /// All events, as a JSON object; what tasks do at this moment among them.
    [[nodiscard]] std::string to_json() const;

private:
    class state;
    const std::unique_ptr<state> state_;
};

}  // namespace sluice::report
