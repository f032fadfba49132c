// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_times.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::metrics {

/// How far a program or a pipeline is.
enum class run_state : unsigned char
{
    ready,     ///< not started
    running,   ///< works
    draining,  ///< sources have been asked to end, what is in the queues is processed
    stopping,  ///< was asked to stop, or failed
    done,      ///< all workers have ended, each at the end of its work
    drained,   ///< all have ended; the sources were asked to end before their input had
    stopped,   ///< all have ended, because they were asked to stop
    failed     ///< all have ended because of an error, or the run could not be ended
};

/// The name of a state in reports, such as "draining".
[[nodiscard]] const char* to_string(run_state state) noexcept;

/// Whether it is the last state of a run: `done`, `drained`, `stopped` or `failed`.
[[nodiscard]] bool is_over(run_state state) noexcept;

/// What a worker or another task does at a moment.
enum class activity : unsigned char
{
    idle,  ///< has not begun, has ended, or waits for something of sluice that is no queue
    busy,  ///< works, or waits for something that is not sluice's, such as a socket
    waiting_to_enqueue,  ///< waits for room in a queue
    waiting_to_dequeue,  ///< waits for elements of a queue
    ready  ///< could go on, and waits for a thread of its executor that is free
};

/// The name of an activity in reports, such as "waiting to enqueue".
[[nodiscard]] const char* to_string(activity what) noexcept;

/// How long the operations of supervised tasks have waited that wait no more.
struct wait_histogram
{
    /// Up to which time the buckets count, but for the last one, which counts the rest.
    static constexpr auto bounds = detail::wait_times::bounds;
    /// How many waits ended in each bucket. They are counted from the first snapshot on.
    std::array<std::uint64_t, bounds.size() + 1> counts{};
    /// How long they took together.
    std::chrono::nanoseconds sum{};
};

/// What is known besides of a queue on a server, of all processes together.
/**
 * Of its queue_stats the size, the capacity, `enqueued`, `dequeued` and `closed` come from the
 * server, too. There `dequeued` is how many elements have been acknowledged, and
 * `enqueued == dequeued + dead + size`, plus what has been lost. How many operations wait is that
 * of this process.
 */
struct remote_figures
{
    /// How many elements consumers have and have not acknowledged; the size counts them, too.
    std::size_t pending = 0;
    /// How long the element has been there that is the next to leave; empty if none waits for a
    /// consumer.
    std::optional<std::chrono::nanoseconds> oldest_age = {};
    /// How often an element went back because its consumer returned it, or kept it for longer than
    /// its lease.
    std::uint64_t redelivered = 0;
    /// How many elements have been given up, because they were delivered too often.
    std::uint64_t dead = 0;
    /// How many of those are among the dead letters now.
    std::size_t dead_letters = 0;
    /// How many elements the server has lost since this process opened the queue.
    std::uint64_t lost = 0;
    /// How long ago the server said all this; empty if it has not answered yet.
    std::optional<std::chrono::nanoseconds> read_ago = {};
    /// Why the server did not answer the last time that it was asked, or why there is no
    /// connection to it; empty if it did, and there is.
    std::string problem = {};
    /// What has gone wrong with the queue, or may later: the server has lost elements, or may evict
    /// them. Empty if there is nothing to say.
    std::string warning = {};
};

/// A queue at one moment.
struct queue_snapshot
{
    /// As constructed, or as described in the pipeline.
    std::string name = {};
    /// The order in which elements leave: "fifo", "shuffle", "priority" or "padding"; empty for
    /// a store of the program's own. Of a queue of a pipeline that is on a server "redis".
    std::string type = {};
    /// Size, capacity, totals, how many operations wait, and how many elements were dropped.
    queue_stats stats = {};
    /// How often a worker of a pipeline found it full and had to wait; 0 elsewhere, and where it
    /// drops elements instead.
    std::uint64_t waits_to_enqueue = 0;
    /// How often a worker of a pipeline found it empty and had to wait; 0 elsewhere.
    std::uint64_t waits_to_dequeue = 0;
    /// How long the supervised task has waited that has waited longest to enqueue; 0 if none
    /// waits.
    std::chrono::nanoseconds longest_wait_to_enqueue{};
    /// The same of those that wait to dequeue.
    std::chrono::nanoseconds longest_wait_to_dequeue{};
    /// How long enqueues have waited.
    wait_histogram enqueue_waits = {};
    /// How long dequeues have waited.
    wait_histogram dequeue_waits = {};
    /// Of a queue on a server what else is known; empty for a queue of this process. The histograms
    /// of such a queue are empty.
    std::optional<remote_figures> remote = {};
};

/// A runner at one moment. Times are sums over its workers.
struct runner_snapshot
{
    /// As constructed, or as described in the pipeline.
    std::string name = {};
    /// As described in the pipeline; empty elsewhere.
    std::string stage = {};
    /// The queue it dequeues from; empty for a source, and while that is not known.
    std::string from = {};
    /// The queues it feeds; empty for a sink.
    std::vector<std::string> to = {};
    /// The queue that gets what it could not process; empty if there is none. See
    /// pipeline::error_policy.
    std::string errors_to = {};
    /// How many workers it has.
    std::size_t workers = 0;
    /// How many of them have not ended.
    std::size_t running = 0;
    /// Whether it is paused; see pipeline::running_pipeline::pause().
    bool paused = false;
    /// How many of those wait for room in a queue.
    std::size_t waiting_to_enqueue = 0;
    /// How many of those wait for elements of a queue.
    std::size_t waiting_to_dequeue = 0;
    /// How many of those are ready and wait for a free thread.
    std::size_t waiting_for_thread = 0;
    /// Elements taken; counted in pipelines only.
    std::uint64_t items_in = 0;
    /// Elements put; counted in pipelines only.
    std::uint64_t items_out = 0;
    /// Elements that the stage could not process and that were left out; see
    /// pipeline::error_policy.
    std::uint64_t skipped = 0;
    /// Why, for the first of them.
    std::vector<std::string> first_errors = {};
    /// Time spent working, or waiting for what is not a queue.
    std::chrono::nanoseconds busy{};
    /// Time spent waiting for room.
    std::chrono::nanoseconds blocked_on_enqueue{};
    /// Time spent waiting for elements.
    std::chrono::nanoseconds blocked_on_dequeue{};
    /// Time spent ready, waiting for a free thread of the executor.
    std::chrono::nanoseconds ready{};
    /// Time before the workers began and after they ended.
    std::chrono::nanoseconds idle{};
    /// How much of its input a source has read, from 0 to 1, where it can be known.
    std::optional<double> progress = {};
    /// Into how many parts the input of a source falls, where it can be known; see
    /// pipeline::stage::parts().
    std::optional<std::size_t> parts = {};
    /// What its stage holds itself to, in words; empty if there is nothing. See
    /// pipeline::stage::own_limit().
    std::string own_limit = {};
    /// The file with a part of the result, after a drain; see
    /// pipeline::stage::partial_result().
    std::string partial_result = {};
};

/// A task of a coordinator that has not ended.
struct task_snapshot
{
    /// As given to coordinator::spawn().
    std::string name = {};
    /// What it does.
    activity doing = activity::busy;
    /// The operations it waits for, in words, such as "dequeue on queue 'lines'"; empty if it
    /// waits for nothing of sluice.
    std::string waiting_on = {};
    /// The queue it waits on; empty if none of the snapshot.
    std::string queue = {};
    /// How long it has done so.
    std::chrono::nanoseconds since{};
    /// Was asked to stop, and has not ended.
    bool is_straggler = false;
};

/// A coordinator at one moment.
struct coordinator_snapshot
{
    /// As given to monitor::add(), or that of the pipeline.
    std::string name = {};
    /// How many tasks have not ended, those of children included.
    std::size_t tasks = 0;
    /// Whether a stop has been requested.
    bool stop_requested = false;
    /// The messages of all real errors, the first one first.
    std::vector<std::string> errors = {};
};

/// A program or a pipeline at one moment: what a display shows and a report says.
/**
 * Plain values, which refer to nothing but the causes of closed queues: they may be kept, compared
 * and sent to other threads. figures.hpp has what can be computed from them, and
 * describe_bottleneck() what limits the flow.
 */
struct snapshot
{
    /// Of the program, or of the pipeline.
    std::string name = {};
    /// How far it is.
    run_state state = run_state::ready;
    /// How many threads run the workers; 0 if that is not known, as of a program with a monitor.
    std::size_t threads = 0;
    /// How many processors there are for them; 0 if that is not known.
    std::size_t processors = 0;
    /// Since the pipeline was started, which does not grow after its end; or since the monitor
    /// was made.
    std::chrono::nanoseconds elapsed{};
    /// In the order in which they were added or described.
    std::vector<queue_snapshot> queues = {};
    /// In the order in which they were added or described.
    std::vector<runner_snapshot> runners = {};
    /// In the order in which they were added.
    std::vector<coordinator_snapshot> coordinators = {};
    /// Those that have not ended, in the order of the coordinators.
    std::vector<task_snapshot> tasks = {};
    /// The message of the first error, in full; empty if there is none. In a pipeline the runner
    /// and its stage stand before it: "clean (filter): ...".
    std::string first_error = {};
};

}  // namespace sluice::metrics
