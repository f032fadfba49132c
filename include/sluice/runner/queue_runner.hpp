// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/waiting/closable.hpp>
#include <sluice/operation.hpp>
#include <sluice/runner/detail/join_workers_waiter.hpp>
#include <sluice/runner/detail/worker_loop.hpp>
#include <sluice/runner/queue_runner_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
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
 * Its operation is of type `awaitable<bool>` and gives false, which is the end of its input;
 * after true, and if it is of type `awaitable<void>`, it is called again. Or its operation
 * throws. errc::end_of_queue, errc::queue_closed of its own queue, and after a stop
 * condition::clean_stop and operation_aborted are an ordinary end. So is errc::stop_requested,
 * because others stopped its input; consumers of the own queue are then told so, too. Any other
 * exception is a failure, that another queue is closed as well (S53). A worker also ends when a
 * stop is requested. An operation may loop by itself, which saves a coroutine for each element.
 *
 * @par Closing
 * Several runners may feed one queue, and so may feeder objects: each counts from its
 * construction on, and the last one to end closes the queue with close_mode::drain. A runner
 * ends with its last worker, or is destroyed without having been started. With a
 * coordinator a failure stops everything, and a stop closes the queue with
 * close_mode::cancel_pending and the failure as its cause, or errc::stop_requested if there is none
 * (S52). A queue that was registered with close_mode::drain before the start ends as usual then.
 * Without a coordinator the other workers and runners go on, and then the queue is closed with the
 * first failure as its cause. Consumers get a cause after what is stored. Either way join() waits
 * until the queue has been closed, or left to the others who feed it.
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
    /// The type of the executor for completions that have none of their own.
    using executor_type = boost::asio::any_io_executor;

    /// What a worker repeats: a callable, of any type that can be moved.
    /**
     * It starts a coroutine of type `awaitable<void>` or `awaitable<bool>`. Callables convert to
     * this type, which is only named to put them into a vector.
     */
    class operation
    {
    public:
        /// Takes over a callable. One that compares equal to null is no operation.
        template <detail::repeatable Callable>
        operation(Callable callable)
        {
            if constexpr (requires {
                              requires std::constructible_from<Callable, std::nullptr_t>;
                              callable == nullptr;
                          }) {
                if (callable == nullptr)
                    return;
            }
            loop_ = std::make_unique<detail::worker_loop_of<Callable>>(std::move(callable)
            );
        }

    private:
        friend queue_runner;

        // mutable: a braced list gives its elements as const, and we take them out of it
        mutable std::unique_ptr<detail::worker_loop> loop_;
    };

    /// Makes a runner with one worker, of one operation.
    /**
     * @param queue    fed by the runner, and closed by the last who feeds it.
     * @param op       not empty.
     * @param options  its name.
     * @throws system_error   errc::invalid_argument if `op` is empty.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Queue>
    queue_runner(Queue& queue, operation op, queue_runner_options options = {})
        : queue_runner(
              queue,
              std::initializer_list<operation>{std::move(op)},
              std::move(options)
          )
    {
    }

    /// Makes a runner with one worker for each operation.
    /**
     * @param queue       fed by the runner, and closed by the last who feeds it.
     * @param operations  at least one, none of them empty; move those in that cannot be copied.
     * @param options     its name.
     * @throws system_error   errc::invalid_argument otherwise.
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Queue>
    queue_runner(
        Queue& queue,
        std::initializer_list<operation> operations,
        queue_runner_options options = {}
    )
        : queue_runner(
              &detail::queue_access::core(queue),
              queue.get_executor(),
              taken_from(operations.begin(), operations.end()),
              std::move(options)
          )
    {
    }

    /// Makes a runner with one worker for each operation, of a list made at run time.
    /**
     * As the constructor from a list in braces, but with the basic guarantee: what is refused has
     * been moved from, too.
     */
    template <class Queue>
    queue_runner(
        Queue& queue,
        std::vector<operation>&& operations,
        queue_runner_options options = {}
    )
        : queue_runner(
              &detail::queue_access::core(queue),
              queue.get_executor(),
              taken_from(operations.begin(), operations.end()),
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
     * @par Exception safety  strong; what was moved into an argument is destroyed.
     */
    template <class Queue, std::convertible_to<operation> Operation, std::integral Number>
    queue_runner(
        Queue& queue,
        Operation op,
        Number workers,
        queue_runner_options options = {}
    )
        : queue_runner(queue, copies_of(op, number_of(workers)), std::move(options))
    {
    }

    queue_runner(const queue_runner&) = delete;
    queue_runner& operator=(const queue_runner&) = delete;
    /// Lets go of the workers, which go on.
    ~queue_runner();

    /// Where completions run that have no executor of their own: the executor of the queue.
    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

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
    template <detail::context_with<boost::asio::any_io_executor> Context>
        requires(!std::derived_from<Context, coordinator>)
    bool start(Context& context)
    {
        return start(boost::asio::any_io_executor(context.get_executor()));
    }

    /// The name of the runner, by default that of its queue.
    [[nodiscard]] const std::string& name() const noexcept;

    /// The number of workers.
    [[nodiscard]] std::size_t size() const noexcept;

    /// Whether workers still run, or the last of them has not yet let go of the queue.
    [[nodiscard]] bool is_running() const;

    /// The failures since the last start without a coordinator, in the order they happened.
    [[nodiscard]] std::vector<std::exception_ptr> exceptions_raised() const;

    /// Waits until the workers have ended, and throws the first failure of those that ran without
    /// a coordinator.
    /**
     * Completes when all workers of the last start have ended and the runner feeds its queue no
     * more, at once if it was not started. It throws the first of exceptions_raised(). With a
     * coordinator that list is empty, because failures are the coordinator's: its join() throws
     * them. A further join gives the same again, until the next start.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         not awaited in one of the workers, which would wait for itself.
     * @par Completion signature  `void(std::exception_ptr)`
     * @par Completion            at once if no worker runs; otherwise as if by asio::post on the
     *                            associated executor.
     * @par Errors
     * @li the first of exceptions_raised(), if there is one
     * @li errc::timed_out  the limit passed; the workers go on
     * @li asio::error::operation_aborted  cancelled; the workers go on
     * @par Cancellation          terminal, partial, total: all supported; nothing else changes.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits; it goes on waiting.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    sluice::operation<detail::join_workers_waiter, executor_type> join()
    {
        return {{core()}, executor_};
    }

    /// Waits until the workers have ended, with any completion token.
    /**
     * As join(), and as the `async_` members of a basic_queue in all that concerns the
     * token.
     *
     * @par Completion signature  `void(std::exception_ptr)`
     */
    template <
        boost::asio::completion_token_for<void(std::exception_ptr)> Token =
            boost::asio::deferred_t>
    auto async_join(Token&& token = Token())
    {
        return join()(std::forward<Token>(token));
    }

private:
    friend class monitor;  // which looks at the workers

    class state;
    using loops = std::vector<std::unique_ptr<detail::worker_loop>>;

    queue_runner(
        detail::closable_ptr queue,
        executor_type executor,
        loops operations,
        queue_runner_options options
    );

    template <class Iterator>
    static loops taken_from(Iterator first, Iterator last)
    {
        loops taken;
        for (; first != last; ++first)
            taken.push_back(std::move(first->loop_));
        return taken;
    }

    // 0 if it is negative, which is refused as 0 is. The constructor deduces the type, so that
    // braces in the place of the number are the options.
    template <std::integral Number>
    static std::size_t number_of(Number workers) noexcept
    {
        return workers > Number(0) ? static_cast<std::size_t>(workers) : 0;
    }

    template <class Operation>
    static std::vector<operation> copies_of(const Operation& op, std::size_t workers)
    {
        static_assert(
            std::copy_constructible<Operation>,
            "each worker has a copy of the operation, and this one cannot be copied: "
            "list one operation for each worker, or leave out the number of workers"
        );
        std::vector<operation> copies;
        for (; workers > 0; --workers)
            copies.emplace_back(op);
        return copies;
    }

    [[nodiscard]] detail::runner_core* core() const noexcept;
    [[nodiscard]] const detail::closable_ptr& queue() const noexcept;
    [[nodiscard]] std::string worker_name(std::size_t index) const;

    const executor_type executor_;
    const boost::intrusive_ptr<state> state_;
};

}  // namespace sluice
