// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/metrics/queue_source.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/monitor/detail/watched_queue.hpp>
#include <sluice/monitor/monitor_options.hpp>
#include <sluice/monitor/trace_recorder.hpp>
#include <sluice/report/trace_options.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sluice {

class live_page;
struct live_page_options;

/// Looks at the queues, coordinators and runners of a program.
/**
 * Whether a program that uses queues is healthy is seen at its queues: which are full, who waits
 * for what, and since when. A monitor is a list of what is to be looked at, and snapshot() is the
 * look: it reads the counters that queues keep anyway, and what the tasks of the coordinators
 * wait for. A program that is not looked at is as fast as without a monitor. From the first look
 * on, supervised operations that had to wait add their time to the histograms of their queue.
 *
 * @par Example
 * @code
 * sluice::monitor watch{pool, {.name = "importer"}};
 * watch.add(lines);
 * watch.add(parser);  // a queue_runner
 * watch.add(tasks);   // a coordinator
 * // ...
 * std::cout << describe_bottleneck(watch.snapshot()) << '\n';
 * @endcode
 *
 * @par What is known
 * Of a queue of this process everything, of one on a server what that has said. What a task waits
 * for, and since when, is known of the tasks of coordinators that were added. The workers of a
 * runner are those tasks that have their names, so give runners names that differ. How long they
 * have been busy or blocked is an estimate: at each snapshot the time since the last one is added
 * to what each worker does at that moment. A worker that waits for a socket or a timer counts as
 * busy, and one that waits in a select() as waiting to dequeue. From which queue a runner dequeues
 * is known once a worker has been seen to wait there. What workers do that were started without a
 * coordinator is not known.
 *
 * @par Object lifetime
 * What was added may be destroyed first, and is then left out. The monitor must die before the
 * execution contexts of what was added. Until the next snapshot it keeps the state of what
 * was destroyed: of a queue no elements, of a runner that was destroyed while its workers ran also
 * the operations.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe, but for the destructor.
 */
class monitor
{
public:
    /// The type of the executor.
    using executor_type = boost::asio::any_io_executor;

    /// Makes a monitor that watches nothing yet.
    /**
     * @param executor  where the work of the monitor runs, such as traces.
     * @param options   its name.
     * @par Exception safety  strong.
     */
    explicit monitor(executor_type executor, monitor_options options = {});

    /// Makes a monitor that uses the executor of an io_context, a thread_pool, an
    /// io_context_pool or anything else that has one.
    template <class Context>
        requires requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    explicit monitor(Context& context, monitor_options options = {})
        : monitor(executor_type(context.get_executor()), std::move(options))
    {
    }

    monitor(const monitor&) = delete;
    monitor& operator=(const monitor&) = delete;
    ~monitor();

    /// Where the work of the monitor runs.
    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

    /// Watches a queue of any type. One that is watched already is not added again.
    template <any_queue Queue>
    void add(const Queue& queue)
    {
        add(detail::make_source(detail::queue_access::core(queue)));
    }

    /// Watches a queue on a server, such as a redis::queue.
    /**
     * Its server is asked in the background, and only for snapshots, which do not wait for the
     * answer: a snapshot has what the server said last, and `queue_snapshot::remote` says how old
     * that is. So the first one knows nothing yet.
     */
    template <detail::has_source Queue>
    void add(const Queue& queue)
    {
        add(queue.source());
    }

    /// Watches a queue of which the program itself says how it is.
    /**
     * @param source  not null; kept until it is over, or as long as the monitor.
     * @par Exception safety  strong.
     */
    void add(std::shared_ptr<metrics::queue_source> source);

    /// Watches a runner, and recognises its workers among the tasks of the coordinators. Add its
    /// queue, too.
    void add(const queue_runner& runner);

    /// Watches the queue and the runner of a producer or a batcher.
    template <class Producer>
        requires requires(const Producer& producer) {
            { *producer.runner() } -> std::convertible_to<const queue_runner&>;
            { producer.queue() } -> any_queue;
        }
    void add(const Producer& producer)
    {
        add(producer.queue());
        add(*producer.runner());
    }

    /// Watches a coordinator, with its tasks and those of its children.
    /**
     * @param scope  the coordinator.
     * @param name   in reports; "coordinator" and a number if it is empty.
     * @par Exception safety  strong.
     */
    void add(const coordinator& scope, std::string name = {});

    /// The state of everything that is watched.
    /**
     * @return plain values of this moment. Each queue is read at one moment; two queues are not.
     * @par Complexity  O(queues + runners + tasks); takes the lock of each queue once.
     */
    [[nodiscard]] metrics::snapshot snapshot() const;

    /// Records a trace until the recorder is stopped or destroyed.
    /**
     * @param options  how often it looks, and how many events it keeps.
     * @par Exception safety  strong.
     */
    [[nodiscard]] trace_recorder trace(trace_options options = {}) const;

    /// Serves a page that shows it; include `sluice/page/live_page.hpp` to call this.
    /**
     * @param options  where to listen, and what is allowed.
     * @return the page; it runs on the executor of the monitor while it lives. If the monitor is
     *         destroyed first, the page goes on showing what it saw last, as done.
     * @throws system_error  as the constructor of live_page.
     * @par Exception safety  strong.
     */
    [[nodiscard]] live_page serve(const live_page_options& options) const;

private:
    class state;

    // The same for others, which may outlive the monitor: then it is what was seen last.
    [[nodiscard]] std::function<metrics::snapshot()> snapshot_function() const;

    const executor_type executor_;
    const std::shared_ptr<state> state_;  // pages refer to it weakly
};

}  // namespace sluice
