// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/coordinator_waiters.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/detail/awaiting/operation.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

/// Stops a group of tasks together, waits for them and reports the first error.
/**
 * When one of several tasks fails, or the program is to end, the others have to end as well:
 * those that wait for a socket, a timer or a queue must be woken, queues must be closed, and
 * whoever waits for all of them wants the error that came first, not those that the stop
 * caused. A coordinator does that. It is a scope of supervised tasks with one flag: once a
 * stop is requested, by anybody, the registered queues are closed, then what the tasks
 * await is cancelled, and join() tells how it ended.
 *
 * The names and rules are those of TensorFlow's Coordinator; docs/tensorflow.md lists what
 * differs.
 *
 * @par Example
 * @code
 * sluice::coordinator coord{pool, {.stop_grace_period = 5s}};
 * coord.spawn("reader", read(lines));
 * coord.spawn("parser", parse(lines, records));
 * coord.close_on_stop(lines);
 * coord.request_stop_on_signal({SIGINT, SIGTERM});
 *
 * co_await coord.join();  // throws the first real error
 * @endcode
 *
 * @par Stopping
 * A stop is requested by request_stop(), by a signal, by a task that ends with an exception
 * which is no clean stop, by the parent, or by the destructor. It is level-triggered:
 * wait_for_stop() that begins later completes at once, close_on_stop() closes at once,
 * spawn() throws. Cancellation reaches each task on its own strand, as
 * asio::cancellation_type::all; operations that the task awaits afterwards fail with
 * asio::error::operation_aborted. A task that disables cancellation is not forced.
 *
 * @par Errors
 * The first exception counts that is neither clean (coordinator_options::is_clean_stop) nor
 * a consequence of the stop (operation_aborted, queue_closed, end_of_queue or stop_requested
 * after it). It also replaces a stop that was requested without an error. Later ones are kept
 * in exceptions().
 *
 * @par Children
 * A coordinator made from another one is stopped with its parent. Its own stop does not stop
 * the parent, but its error does, and the parent's join() waits for the tasks of both.
 *
 * @par Ordering
 * Those who wait for the stop, or in join(), are told in the order in which they began to.
 *
 * @par Object lifetime
 * The destructor requests a stop and does not wait; the tasks keep what they need of the
 * coordinator, but what they refer to otherwise is up to their author. Waiting operations may
 * outlive the coordinator. Registered queues may be destroyed before it.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe without a strand, but for the destructor.
 */
class coordinator
{
    template <class Waiter>
    using operation = detail::operation<Waiter, boost::asio::any_io_executor>;

public:
    /// The type of the executor on which tasks run.
    using executor_type = boost::asio::any_io_executor;

    /// Makes a running coordinator without tasks.
    /**
     * @param executor  where its tasks run, each on a strand of its own, and where completions
     *                  run that have no executor of their own.
     * @param options   grace period, and what a clean stop is.
     * @par Exception safety  strong.
     */
    explicit coordinator(const executor_type& executor, coordinator_options options = {});

    /// Makes a running coordinator that uses the executor of an io_context, a thread_pool, an
    /// io_context_pool or anything else that has one.
    template <class Context>
        requires(!std::derived_from<Context, coordinator>) && requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    explicit coordinator(Context& context, coordinator_options options = {})
        : coordinator(executor_type(context.get_executor()), std::move(options))
    {
    }

    /// Makes a child, with the executor and the options of its parent.
    /**
     * @param parent  if it has been asked to stop, so is the child.
     * @par Exception safety  strong.
     */
    explicit coordinator(coordinator& parent);
    /// Makes a child with options of its own.
    coordinator(coordinator& parent, coordinator_options options);

    coordinator(const coordinator&) = delete;
    coordinator& operator=(const coordinator&) = delete;

    /// Requests a stop, and does not wait.
    /**
     * @par Preconditions  no other member is being called. Tasks and operations may be running.
     */
    ~coordinator();

    /// Where the tasks run.
    [[nodiscard]] const executor_type& get_executor() const noexcept;

    /// Whether a stop has been requested.
    [[nodiscard]] bool should_stop() const noexcept { return state_->should_stop(); }

    /// Whether a join() has completed since the last clear_stop(), in whatever way.
    [[nodiscard]] bool joined() const noexcept { return state_->joined(); }

    /// The stop for code that knows std::stop_token; a clear_stop() makes a new one.
    /**
     * Its callbacks run in request_stop(), after queues are closed and tasks cancelled.
     */
    [[nodiscard]] std::stop_token get_stop_token() const
    {
        return state_->get_stop_token();
    }

    /// The tasks that have not ended, those of children included, and what each waits on.
    /**
     * They include the stragglers on which a join() gave up. O(number of tasks).
     */
    [[nodiscard]] std::vector<task_info> tasks() const { return state_->tasks(); }

    /// All real errors so far, also of children; the first is what join() throws.
    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const
    {
        return state_->exceptions();
    }

    /// Throws the first real error; does nothing if there is none.
    void rethrow_requested_exception() const { state_->rethrow_requested_exception(); }

    /// Asks all tasks to stop.
    /**
     * Closes the registered queues, cancels what the tasks await, stops the children and runs
     * the callbacks of the stop token, in this order. If a stop has been requested already, only
     * the error is recorded.
     *
     * @param cause  why; null for an ordinary end. A clean one counts as null.
     * @throws what `cause` holds if it is an error and join() has completed already, because
     *         nobody else would learn of it.
     * @par Preconditions     none.
     * @par Exception safety  no-throw but for that; never waits. If there is no memory to cancel
     *                        a task with, the program ends.
     * @par Thread safety     any thread, also a task of this coordinator.
     */
    void request_stop(std::exception_ptr cause = nullptr)
    {
        // Whoever is woken by the stop may destroy this object before the call returns.
        const auto state = state_;
        state->request_stop(std::move(cause));
    }

    /// Makes the coordinator as good as new: not stopped, not joined, without errors.
    /**
     * Queues and signals have to be registered again; tasks that still run have been cancelled.
     *
     * @par Preconditions     nothing else is going on, which is so after join().
     * @par Exception safety  strong.
     */
    void clear_stop() { state_->clear_stop(); }

    /// Requests a stop, without an error, when the process receives one of the signals.
    /**
     * Waiting for them keeps the execution context busy until the stop. Does nothing if a stop
     * has been requested already.
     *
     * @param signals  such as SIGINT and SIGTERM. A further call adds more.
     * @throws system_error   from asio::signal_set, if a signal cannot be handled.
     * @par Preconditions     none.
     * @par Exception safety  basic.
     * @par Thread safety     any thread.
     */
    void request_stop_on_signal(std::initializer_list<int> signals)
    {
        state_->request_stop_on_signal(signals);
    }

    /// Closes a queue, with close_mode::cancel_pending, as soon as a stop is requested.
    /**
     * queue_runner::start() does that for the queue of the runner.
     *
     * @param queue  any queue; may be destroyed before the coordinator. Closed now if a stop has
     *               been requested already.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     * @par Complexity        O(number of registered queues).
     */
    template <class Queue>
    void close_on_stop(Queue& queue)
    {
        state_->close_on_stop(&queue.core());
    }

    /// Starts a supervised task.
    /**
     * It runs on a strand of its own over the executor of the coordinator. If it ends with an
     * exception that is no clean stop and no consequence of the stop, that is the error of the
     * coordinator, and a stop is requested; any other end stops nobody.
     *
     * @param name  for tasks() and for the message of join(); need not be unique.
     * @param task  a coroutine that has not been started. What it refers to must live until it
     *              ends.
     * @throws system_error   errc::stop_requested if a stop has been requested.
     * @par Preconditions     none.
     * @par Exception safety  strong; the task is destroyed.
     * @par Thread safety     any thread, also a task of this coordinator.
     */
    void spawn(std::string name, boost::asio::awaitable<void> task)
    {
        state_->spawn(std::move(name), std::move(task));
    }

    /// Starts a supervised task from a callable, which is kept until the task has ended.
    /**
     * So a lambda with captures is safe here, which it is not if its coroutine is passed.
     *
     * @param name  as above.
     * @param body  called once, where the task runs.
     * @throws system_error  errc::stop_requested if a stop has been requested.
     */
    template <class Body>
        requires std::is_invocable_r_v<boost::asio::awaitable<void>, Body&>
    void spawn(std::string name, Body body)
    {
        state_->spawn(std::move(name), run(std::move(body)));
    }

    /// Awaits a coroutine and turns an exception into a stop request.
    /**
     * For code that is not a supervised task but belongs to the group. The result is discarded,
     * the exception goes to request_stop() and is not thrown, unless join() has completed.
     *
     * @param task  the coroutine; it runs where this is awaited.
     * @return a coroutine; the coordinator must live until it is first awaited.
     */
    template <class T, class Executor>
    boost::asio::awaitable<void, Executor> stop_on_exception(
        boost::asio::awaitable<T, Executor> task
    )
    {
        auto state = state_;
        std::exception_ptr failure;
        try {
            co_await std::move(task);
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure)
            state->request_stop(failure);
    }

    /// Waits until a stop is requested.
    /**
     * Also a branch for select(): `select(queue.dequeue(), coord.wait_for_stop())`.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            at once if a stop has been requested; otherwise as if by
     *                            asio::post on the associated executor.
     * @par Errors
     * @li errc::timed_out  the limit passed
     * @li asio::error::operation_aborted  cancelled; also if a supervised task awaits this after
     *     the stop
     * @par Cancellation          terminal, partial, total: all supported; nothing else changes.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits: that is a stop.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    [[nodiscard]] auto wait_for_stop()
    {
        return operation<detail::wait_for_stop_waiter>({state_.get()}, get_executor());
    }

    /// Waits until all tasks have ended, and throws the first real error.
    /**
     * Completes when no task is left, those of children and those spawned meanwhile included; it
     * does not need a stop for that. Once a stop is requested it gives up after the grace period,
     * which begins with the request, or with the join if that is later. `.within(duration)` and
     * `.until(time_point)` set the grace period of this join; they do not limit the time before
     * the stop. A further join gives the same error again, until clear_stop().
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         not awaited in one of the tasks, which would wait for itself.
     * @par Completion signature  `void(std::exception_ptr)`
     * @par Completion            at once if no task is left; otherwise as if by asio::post on the
     *                            associated executor.
     * @par Errors
     * @li the first real error, if there is one, also if tasks still run
     * @li errc::tasks_still_running  the grace period passed; the message says which tasks run and
     *     which operation of which queue each waits on
     * @li asio::error::operation_aborted  cancelled; the tasks go on
     * @par Cancellation          terminal, partial, total: all supported; can be joined again.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits; it goes on waiting.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1); O(number of tasks) for a message that names them.
     */
    [[nodiscard]] auto join()
    {
        return operation<detail::join_tasks_waiter>(
            {state_.get(), detail::time_limit::within(state_->options().stop_grace_period)
            },
            get_executor()
        );
    }

    /// Waits until a stop is requested, with any completion token.
    /**
     * The twin of wait_for_stop().
     *
     * @param token  any completion token for the signature below.
     * @return what the token asks for.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            never from within this function; as if by asio::post on the
     *                            associated executor.
     * @par Errors                asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial, total: all supported, as wait_for_stop().
     * @par Ordering              as wait_for_stop().
     * @par Object lifetime       `*this` may be destroyed while this waits: that is a stop.
     * @par Exception safety      strong; only the allocation of the operation may throw.
     * @par Thread safety         any thread.
     * @par Complexity            O(1), and one allocation.
     */
    template <class Token>
    auto async_wait_for_stop(Token&& token)
    {
        return wait_for_stop()(std::forward<Token>(token));
    }

    /// Waits until all tasks have ended, with any completion token.
    /**
     * The twin of join(), with the grace period of the options.
     *
     * @param token  any completion token for the signature below.
     * @return what the token asks for.
     * @par Preconditions         none.
     * @par Completion signature  `void(std::exception_ptr)`
     * @par Completion            never from within this function; as if by asio::post on the
     *                            associated executor.
     * @par Errors                as join().
     * @par Cancellation          terminal, partial, total: all supported, as join().
     * @par Ordering              as join().
     * @par Object lifetime       `*this` may be destroyed while this waits; it goes on waiting.
     * @par Exception safety      strong; only the allocation of the operation may throw.
     * @par Thread safety         any thread.
     * @par Complexity            as join(), and one allocation.
     */
    template <class Token>
    auto async_join(Token&& token)
    {
        return join()(std::forward<Token>(token));
    }

    /// @cond
    // For the runner.
    [[nodiscard]] detail::coordinator_state& core() const noexcept { return *state_; }
    /// @endcond

private:
    // Keeps the callable, and so what it captures, until the task has ended.
    template <class Body>
    static boost::asio::awaitable<void> run(Body body)
    {
        co_await body();
    }

    coordinator(
        const executor_type& executor,
        coordinator_options options,
        detail::coordinator_state* parent
    );

    const boost::intrusive_ptr<detail::coordinator_state> state_;
};

}  // namespace sluice
