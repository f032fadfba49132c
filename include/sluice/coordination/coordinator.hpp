// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/coordinator_waiters.hpp>
#include <sluice/coordination/detail/spawn_with_token.hpp>
#include <sluice/coordination/task_handle.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/coordination/task_options.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <exception>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

struct scope_access;

// An executor, or what has one.
template <class Source>
concept executor_source = std::convertible_to<Source, boost::asio::any_io_executor> ||
                          context_with<Source, boost::asio::any_io_executor>;

template <executor_source Source>
boost::asio::any_io_executor executor_from(Source& source)
{
    if constexpr (std::convertible_to<Source, boost::asio::any_io_executor>)
        return source;
    else
        return source.get_executor();
}

}  // namespace detail

/// Stops a group of tasks together, waits for them and reports the first error.
/**
 * with_tasks() makes a coordinator for a block of code and waits for its tasks, whatever ends the
 * block. Make one yourself for tasks that belong to an object, or to a service with several groups.
 * Then await join() before you destroy it. The destructor requests a stop and does not
 * wait: tasks that still run go on, and what they refer to must outlive them. A library that was
 * built for debugging (without `NDEBUG`) names such tasks on the standard error output.
 *
 * When one of several tasks fails, or the program is to end, the others have to end as well:
 * those that wait for a socket, a timer or a queue must be woken, queues must be closed, and
 * the program wants to know the error that came first, not those that the stop caused. A
 * coordinator does that. It has supervised tasks and one flag: once a stop is requested,
 * by any of them or from outside, the registered queues are closed, then what the tasks
 * await is cancelled, and join() tells how it ended.
 *
 * The names and rules are those of TensorFlow's Coordinator; docs/behaviour.md lists what
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
 * co_await coord.join();  // throws the first error
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
 * @par Memory
 * A task takes none while it waits, and none to be woken. A stop takes none of its own either:
 * what it tells is linked in lists. That includes the cancellation of the tasks, if the executor
 * is that of an io_context or of a thread_pool, or a strand on one; what Asio takes to pass it on
 * is tried again until there is memory. An executor of another kind may refuse to run a task that
 * is woken. Then the task ends where it is, as if its context were destroyed, and elements that
 * were assigned to it are returned to their queues. If it is the cancellation that is refused, the
 * task is still running when the grace period ends.
 *
 * @par Errors
 * The first exception counts that is neither clean (coordinator_options::is_clean_stop) nor
 * a consequence of the stop (operation_aborted, queue_closed, end_of_queue or stop_requested
 * after it). It also replaces a stop that was requested without an error. Later ones are kept
 * in exceptions(). An error that a task gets back from a closed queue is not counted again.
 *
 * @par Children
 * A coordinator made from another one is stopped with its parent. Its own stop does not stop
 * the parent, but its error does, and the parent's join() waits for the tasks of both.
 *
 * @par Ordering
 * Calls of wait_for_stop() and join() complete in the order in which they began to wait.
 *
 * @par Object lifetime
 * Waiting operations may outlive the coordinator, and the tasks keep what they need of it.
 * Registered queues may be destroyed before it.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe without a strand, but for the destructor.
 */
class coordinator
{
    template <class Waiter>
    using operation = sluice::operation<Waiter, boost::asio::any_io_executor>;

public:
    /// The type of the executor on which tasks run.
    using executor_type = boost::asio::any_io_executor;

    /// Makes a running coordinator without tasks.
    /**
     * @param executor  where its tasks run, each on a strand of its own, and where completions
     *                  run that have no executor of their own.
     * @param options   grace period, report of overdue tasks, and what a clean stop is.
     * @throws system_error   from Asio, if the context cannot have timers.
     * @par Exception safety  strong.
     */
    explicit coordinator(const executor_type& executor, coordinator_options options = {});

    /// Makes a running coordinator that uses the executor of an io_context, a thread_pool, an
    /// io_context_pool or anything else that has one.
    template <detail::context_with<executor_type> Context>
        requires(!std::derived_from<Context, coordinator>)
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

    /// Makes a child with an executor of its own and the options of its parent.
    /**
     * @param parent    if it has been asked to stop, so is the child. It may have another context.
     * @param executor  as for a coordinator without a parent; or the context that has it.
     * @throws system_error   from Asio, if the context cannot have timers.
     * @par Exception safety  strong.
     */
    template <detail::executor_source Executor>
    coordinator(coordinator& parent, Executor&& executor)
        : coordinator(parent, std::forward<Executor>(executor), parent.state_->options())
    {
    }

    /// Makes a child with an executor and options of its own.
    template <detail::executor_source Executor>
    coordinator(coordinator& parent, Executor&& executor, coordinator_options options)
        : coordinator(
              detail::executor_from(executor),
              std::move(options),
              parent.state_.get()
          )
    {
    }

    coordinator(const coordinator&) = delete;
    coordinator& operator=(const coordinator&) = delete;

    /// Requests a stop, and does not wait: tasks that still run go on.
    /**
     * @par Preconditions  no other member is being called. Tasks and operations may be running;
     *                     without `NDEBUG` tasks that are running are named on the standard error
     *                     output.
     */
    ~coordinator();

    /// Where the tasks run.
    [[nodiscard]] const executor_type& get_executor() const noexcept;

    /// Whether a stop has been requested.
    [[nodiscard]] bool should_stop() const noexcept { return state_->should_stop(); }

    /// Whether a join() has told how it ended since the last clear_stop(): one that was cancelled,
    /// or whose limit passed, has not.
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
     * They include those on which a join() gave up. O(number of tasks).
     */
    [[nodiscard]] std::vector<task_info> tasks() const { return state_->tasks(); }

    /// The queues that the last stop closed: who closed each and why, and what is left in it.
    /**
     * Those of children are included. After join() it tells what was cut off. A queue that had
     * ended before the stop says so. O(number of queues).
     */
    [[nodiscard]] std::vector<closed_queue> closed_queues() const
    {
        return state_->closed_queues();
    }

    /// All real errors so far, also of children; the first is what join() throws.
    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const
    {
        return state_->exceptions();
    }

    /// Throws the first error; does nothing if there is none.
    void rethrow_requested_exception() const { state_->rethrow_requested_exception(); }

    /// Asks all tasks to stop.
    /**
     * Closes the registered queues, cancels what the tasks await, stops the children and runs
     * the callbacks of the stop token, in this order. If a stop has been requested already, only
     * the error is recorded.
     *
     * @param cause  why; null for an ordinary end. A clean one counts as null. One that comes
     *               after a join() has completed is for exceptions() and for a further join().
     * @return whether it was this call that requested the stop.
     * @par Preconditions     none.
     * @par Exception safety  no-throw. Without memory a `cause` is not listed in exceptions();
     *                        join() throws it all the same.
     * @par Thread safety     any thread, also a task of this coordinator. Never waits.
     */
    bool request_stop(std::exception_ptr cause = nullptr) noexcept
    {
        // What the stop wakes may destroy this object before the call returns.
        const auto state = state_;
        return state->request_stop(std::move(cause));
    }

    /// Begins anew: not stopped, not joined, without errors.
    /**
     * What the stop closed stays closed: queues that were registered cannot be opened again, so
     * the next round needs new ones. Registered queues and signals are forgotten; register them
     * again. Children stay stopped; clear them afterwards. Tasks that still run have been
     * cancelled, and are waited for. A child whose parent is stopped is stopped again at once.
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
     * @param signals  such as SIGINT and SIGTERM. A further call adds more. One that the process
     *                 ignores now stays ignored: a shell lets what it starts in the background of
     *                 a script ignore Ctrl-C, and `nohup` a hangup.
     * @throws system_error   from asio::signal_set, if a signal cannot be handled.
     * @par Preconditions     none.
     * @par Exception safety  basic.
     * @par Thread safety     any thread.
     */
    void request_stop_on_signal(std::initializer_list<int> signals)
    {
        state_->request_stop_on_signal(signals);
    }

    /// Closes a queue as soon as a stop is requested.
    /**
     * After what is stored, consumers get the first error, or errc::stop_requested if there is
     * none: a stop is not the end of the input (S52). If the queue had ended before, it has its
     * ordinary end.
     *
     * With close_mode::drain the enqueues that wait and the stored elements reach the consumers,
     * and then the ordinary end if there is no error.
     * The stop cancels the consumers, too, if they are tasks of this coordinator: one that is to
     * work off the rest disables cancellation, and ends at the end of the queue.
     * queue_runner::start() registers the queue of the runner, with cancel_pending.
     *
     * @param queue  any queue; may be destroyed before the coordinator. Closed now if a stop has
     *               been requested already.
     * @param mode   what becomes of the enqueues that wait. If the queue is registered twice, the
     *               first mode decides what consumers are told.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     * @par Complexity        O(1).
     */
    template <detail::closable_queue Queue>
    void close_on_stop(Queue& queue, close_mode mode = close_mode::cancel_pending)
    {
        state_->close_on_stop(&detail::queue_access::core(queue), mode);
    }

    /// Starts a supervised task.
    /**
     * It runs on a strand of its own over the executor of the coordinator. If it ends with an
     * exception that is no clean stop and no consequence of the stop, that is the error of the
     * coordinator, and a stop is requested; any other end stops no other task.
     *
     * A coroutine whose executor type is not any_io_executor runs on the coordinator's executor,
     * which has to be of that type, or on a new strand of it if the type is a strand. Without
     * such a strand a context with several threads must not run it, because the stop cancels what
     * it awaits. tasks() does not tell what it waits on.
     *
     * @param name   for tasks() and for the message of join(); need not be unique.
     * @param task   an asio::awaitable of any result and executor type, not started, or a callable
     *               that gives one, called once, where the task runs. What the coroutine refers to
     *               must live until it ends; the callable, and so what it captures, is kept until
     *               then.
     * @param where  for reports of what the task awaits: leave it out.
     * @return a handle, to wait for the task, for its result, or to cancel it alone. To drop it
     *         changes nothing; the result is discarded then.
     * @throws system_error   errc::stop_requested if a stop has been requested;
     *                        errc::invalid_argument if the coroutine needs another executor.
     * @par Preconditions     none.
     * @par Exception safety  strong; the task is destroyed.
     * @par Thread safety     any thread, also a task of this coordinator.
     */
    template <detail::task_source Task>
    task_handle<detail::result_of_task<Task>> spawn(
        std::string name,
        Task task,
        std::source_location where = std::source_location::current()
    )
    {
        return launch({std::move(name)}, std::move(task), where);
    }

    /// Starts a supervised task on an executor that you name.
    /**
     * If that is a strand, the task runs on it, so it may share the strand with other tasks and
     * with objects that need one: the reader and the writer of one connection are two tasks on the
     * strand of its stream. Otherwise it runs on a new strand over the executor. The executor of a
     * coroutine of another task is the strand of that task.
     *
     * As spawn() without an executor in all else.
     *
     * @param executor  its context must live until the task has ended.
     * @param name      for tasks() and for the message of join(); need not be unique.
     * @param task      as there; a coroutine with an executor type of its own runs on `executor`.
     * @param where     for reports of what the task awaits: leave it out.
     */
    template <detail::task_source Task>
    task_handle<detail::result_of_task<Task>> spawn(
        const executor_type& executor,
        std::string name,
        Task task,
        std::source_location where = std::source_location::current()
    )
    {
        return launch({std::move(name), executor}, std::move(task), where);
    }

    /// Starts a supervised task with options: its executor, and how a stop cancels it.
    template <detail::task_source Task>
    task_handle<detail::result_of_task<Task>> spawn(
        task_options options,
        Task task,
        std::source_location where = std::source_location::current()
    )
    {
        return launch(std::move(options), std::move(task), where);
    }

    /// Starts a supervised task and gives its result to a completion token.
    /**
     * As spawn() without a token in all else: an exception goes to the token, and is the error of
     * the coordinator as well. A result without a default constructor is given as an optional.
     *
     * @par Preconditions         none.
     * @par Completion signature  `void(std::exception_ptr, T)`, with `std::optional<T>` if T has
     *                            no default constructor; `void(std::exception_ptr)` for a task
     *                            without a result
     * @par Completion            when the task has ended; as if by asio::post on the associated
     *                            executor.
     * @par Errors
     * @li what the task ended with
     * @li errc::stop_requested  a stop has been requested; the task was not started
     * @li errc::invalid_argument  the coroutine needs another executor
     * @li asio::error::operation_aborted  the task was stopped before it began, or its execution
     *     context was destroyed
     * @par Cancellation          what the slot of the handler emits cancels this task alone, as
     *                            task_handle::cancel() of that type; the handler is called when
     *                            the task has ended.
     * @par Object lifetime       `*this` may be destroyed while the task runs: that is a stop.
     * @par Exception safety      strong; only allocation of the operation may throw.
     * @par Thread safety         any thread.
     */
    template <
        detail::task_source Task,
        boost::asio::completion_token_for<detail::spawn_signature<Task>> Token>
    auto spawn(
        std::string name,
        Task task,
        Token&& token,
        std::source_location where = std::source_location::current()
    )
    {
        static_assert(
            !detail::destroyed_twice<Task> ||
                !detail::any_awaitable<detail::spawn_result<Task, Token>>,
            SLUICE_TASK_DESTROYED_TWICE
        );
        return launch<Task, Token>({std::move(name)}, std::move(task), token, where);
    }

    /// The same with options.
    template <
        detail::task_source Task,
        boost::asio::completion_token_for<detail::spawn_signature<Task>> Token>
    auto spawn(
        task_options options,
        Task task,
        Token&& token,
        std::source_location where = std::source_location::current()
    )
    {
        static_assert(
            !detail::destroyed_twice<task_options> ||
                !detail::any_awaitable<detail::spawn_result<Task, Token>>,
            SLUICE_TASK_DESTROYED_TWICE
        );
        return launch<Task, Token>(std::move(options), std::move(task), token, where);
    }

    /// @cond
    // Refused in words.
    template <class First, class... Others>
        requires(
            sizeof...(Others) == 0 ||
            !(detail::task_source<std::remove_cvref_t<Others>> || ...)
        )
    void spawn(const First& /*name*/, const Others&... /*task*/)
    {
        static_assert(
            detail::never<First>,
            "give spawn() a name and a coroutine, as spawn(\"reader\", read(lines)), or "
            "a callable"
        );
    }
    /// @endcond

    /// Awaits a coroutine and turns an exception into a stop request.
    /**
     * For code that is not a supervised task but belongs to the group. The result is discarded,
     * the exception goes to request_stop() and is not thrown.
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
    operation<detail::wait_for_stop_waiter> wait_for_stop()
    {
        return {{state_.get()}, get_executor()};
    }

    /// Waits until all tasks have ended, and throws the first error.
    /**
     * Completes when no task is left, those of children and those spawned meanwhile included; it
     * does not need a stop for that. Once a stop is requested it gives up after
     * coordinator_options::stop_grace_period, which begins with the request, or with the join if
     * that is later. A further join gives the same error again, until clear_stop().
     *
     * `.within(duration)` and `.until(time_point)` limit the wait, with or without a stop, and
     * nothing else: the tasks go on, and can be joined again.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         not awaited in one of the tasks, which would wait for itself.
     * @par Completion signature  `void(std::exception_ptr)`
     * @par Completion            at once if no task is left; otherwise as if by asio::post on the
     *                            associated executor.
     * @par Errors
     * @li the first error, if there is one, when the tasks have ended or the grace period has
     * @li errc::tasks_still_running  the grace period passed; the message says which tasks run,
     *     which operation of which queue each waits on, and how the queues of the stop ended
     * @li errc::timed_out  the limit passed; the tasks go on
     * @li asio::error::operation_aborted  cancelled; the tasks go on
     * @par Cancellation          terminal, partial, total: all supported; can be joined again.
     * @par Ordering              told in the order in which they began to wait.
     * @par Object lifetime       `*this` may be destroyed while this waits; it goes on waiting.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1); O(number of tasks) for a message that names them.
     */
    operation<detail::join_tasks_waiter> join()
    {
        return {{state_.get()}, get_executor()};
    }

    /// Waits until a stop is requested, with any completion token.
    /**
     * As wait_for_stop(), and as the `async_` members of a basic_queue in all that
     * concerns the token.
     *
     * @par Completion signature  `void(error_code)`
     */
    template <
        boost::asio::completion_token_for<void(error_code)> Token =
            boost::asio::deferred_t>
    auto async_wait_for_stop(Token&& token = Token())
    {
        return wait_for_stop()(std::forward<Token>(token));
    }

    /// Waits until all tasks have ended, with any completion token.
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
    friend class queue_runner;           // whose tasks bring an end of their own
    friend class monitor;                // which looks at the tasks
    friend struct detail::scope_access;  // for with_tasks()

    coordinator(
        const executor_type& executor,
        coordinator_options options,
        detail::coordinator_state* parent
    );

    task_options with_executor(task_options options) const
    {
        if (!options.executor)
            options.executor = get_executor();
        return options;
    }

    template <class Task>
    task_handle<detail::result_of_task<Task>> launch(
        task_options given,
        Task task,
        const std::source_location& where
    )
    {
        using result = detail::result_of_task<Task>;
        task_options options = with_executor(std::move(given));
        auto record =
            std::make_shared<detail::task_record>(std::move(options.name), where);
        auto value = detail::make_task_value<result>();
        detail::spawn(*state_, record, options, value, std::move(task));
        return {state_, std::move(record), std::move(value)};
    }

    template <class Task, class Token>
    auto launch(
        task_options options,
        Task task,
        Token& token,
        const std::source_location& where
    )
    {
        return boost::asio::async_initiate<Token, detail::spawn_signature<Task>>(
            detail::spawn_with_token(state_),
            token,
            with_executor(std::move(options)),
            std::move(task),
            where
        );
    }

    const boost::intrusive_ptr<detail::coordinator_state> state_;
};

}  // namespace sluice
