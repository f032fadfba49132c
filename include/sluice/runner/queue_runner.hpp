// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/waiting/closable.hpp>
#include <sluice/runner/queue_runner_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

/// Keeps a queue fed: repeats operations, each in a task of its own, until their input ends.
/**
 * A stage of a pipeline is a loop around one line of work, which must end when its input
 * ends, when its queue is closed and when the program stops; report what went wrong; and
 * tell the next stage that no more will come, but only after the last who feeds it. A
 * queue_runner is that loop. An operation typically enqueues one element, and may dequeue
 * another one before. The last worker to end closes the queue, so closing travels
 * downstream, stage by stage. As TensorFlow's QueueRunner, with coroutines for threads;
 * docs/behaviour.md lists what differs.
 *
 * @par Example
 * @code
 * sluice::fifo_queue<record> records{pool, {.capacity = 64, .name = "records"}};
 * sluice::queue_runner parser{
 *     records,
 *     [&]() -> asio::awaitable<void> {
 *         auto place = co_await records.reserve();
 *         place.fill(parse(co_await lines.dequeue()));
 *     },
 *     4  // four workers
 * };
 * parser.start(coord);
 * @endcode
 *
 * @par How a worker ends
 * Its operation throws. A code that is condition::clean_stop (the end of a queue it
 * dequeues from, or that its own queue is closed), or operation_aborted after a stop, is an
 * ordinary end. Any other exception is a failure. A worker also ends when a stop is
 * requested. An operation that knows the end of its input itself throws
 * `system_error(errc::end_of_queue)`. It may loop by itself, which saves a coroutine for
 * each element, but has to throw at its end, too: one that returns is called again.
 *
 * @par Closing
 * Several runners may feed one queue, and so may feeder objects: each counts from its
 * construction on, and the last one to end closes the queue with close_mode::drain. A runner
 * ends with its last worker, or is destroyed without having been started. With a
 * coordinator a failure stops everything, and a stop closes the queue with
 * close_mode::cancel_pending; the stop comes first, so whoever sees the end of the queue
 * finds coordinator::should_stop() true if the input failed. Without one the other workers
 * and runners go on, and then the queue is closed with the first failure as its cause, which
 * consumers get after what is stored.
 *
 * @par Ordering
 * Each operation is called again when it has ended, never twice at a time. Between workers
 * there is no order.
 *
 * @par Object lifetime
 * The runner may be destroyed while its workers run; they keep the operations alive. What
 * those refer to is up to their author. The queue may be destroyed: that closes it.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe, but for the destructor.
 */
class queue_runner
{
public:
    /// What a worker repeats: a callable that starts a coroutine.
    using operation = std::function<boost::asio::awaitable<void>()>;

    /// Makes a runner with one worker for each operation.
    /**
     * @param queue       fed by the runner, and closed by the last who feeds it.
     * @param operations  at least one, none of them empty.
     * @param options     its name.
     * @throws system_error   errc::invalid_argument otherwise.
     * @par Exception safety  strong.
     */
    template <class Queue>
    queue_runner(
        Queue& queue,
        std::initializer_list<operation> operations,
        queue_runner_options options = {}
    )
        : queue_runner(
              &queue.core(),
              std::vector<operation>(operations),
              std::move(options)
          )
    {
    }

    /// Makes a runner with one worker for each operation, of a list made at run time.
    template <class Queue>
    queue_runner(
        Queue& queue,
        std::vector<operation> operations,
        queue_runner_options options = {}
    )
        : queue_runner(
              detail::closable_ptr(&queue.core()),
              std::move(operations),
              std::move(options)
          )
    {
    }

    /// Makes a runner with several workers of one operation.
    /**
     * @param queue    fed by the runner, and closed by the last who feeds it.
     * @param op       each worker has a copy of it, so that what the callable stores by value is
     *                 not shared; what it refers to must stand being used from several threads.
     * @param workers  how many; at least one.
     * @param options  its name.
     * @throws system_error   errc::invalid_argument if there is no worker or `op` is empty.
     * @par Exception safety  strong.
     */
    template <class Queue>
    queue_runner(
        Queue& queue,
        operation op,
        std::size_t workers = 1,
        queue_runner_options options = {}
    )
        : queue_runner(
              detail::closable_ptr(&queue.core()),
              std::vector<operation>(workers, op),
              std::move(options)
          )
    {
    }

    queue_runner(const queue_runner&) = delete;
    queue_runner& operator=(const queue_runner&) = delete;
    /// Lets go of the workers, which go on.
    ~queue_runner();

    /// Starts the workers as tasks of a coordinator.
    /**
     * They are called "name/0", "name/1" and so on. The queue is closed when the coordinator
     * stops. Failures are errors of the coordinator, not of exceptions_raised().
     *
     * @param scope  supervises the workers; must live while this is called.
     * @return false, and nothing happens, if workers still run.
     * @throws system_error   errc::stop_requested if `scope` has been asked to stop,
     *                        errc::queue_closed if the queue is closed.
     * @par Preconditions     none.
     * @par Exception safety  basic: if memory runs out halfway, the workers that were made go on,
     *                        and the exception closes the queue once they have ended. If a stop
     *                        comes in between, workers that were started end.
     * @par Thread safety     any thread.
     */
    bool start(coordinator& scope);

    /// Starts the workers without a coordinator.
    /**
     * Nothing stops them but the end of their input or of their queue. Failures are collected
     * in exceptions_raised(), which this call clears.
     *
     * @param executor  where the workers run.
     * @return false, and nothing happens, if workers still run.
     * @throws system_error   errc::queue_closed if the queue is closed.
     * @par Preconditions     none.
     * @par Exception safety  basic, as with a coordinator; the exception is also one of
     *                        exceptions_raised().
     * @par Thread safety     any thread.
     */
    bool start(const boost::asio::any_io_executor& executor);

    /// Starts the workers, without a coordinator, on an io_context, a thread_pool, an
    /// io_context_pool or anything else that has an executor.
    template <class Context>
        requires(!std::same_as<Context, coordinator>) && requires(Context& context) {
            {
                context.get_executor()
            } -> std::convertible_to<boost::asio::any_io_executor>;
        }
    bool start(Context& context)
    {
        return start(boost::asio::any_io_executor(context.get_executor()));
    }

    /// The name of the runner, by default that of its queue.
    [[nodiscard]] const std::string& name() const noexcept;

    /// The number of workers.
    [[nodiscard]] std::size_t size() const noexcept;

    /// Whether workers still run.
    [[nodiscard]] bool is_running() const;

    /// The failures since the last start without a coordinator, in the order they happened.
    [[nodiscard]] std::vector<std::exception_ptr> exceptions_raised() const;

private:
    class state;

    queue_runner(
        detail::closable_ptr queue,
        std::vector<operation> operations,
        queue_runner_options options
    );

    const std::shared_ptr<state> state_;
};

}  // namespace sluice
