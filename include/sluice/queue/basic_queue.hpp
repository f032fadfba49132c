// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/operation.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {
namespace detail {

// An executor, or what has one.
template <class Home, class Executor>
concept gives_executor = std::convertible_to<Home, Executor> ||
                         context_with<Home, Executor>;

// Not defined, because it is called by what does not compile.
template <class Queue, class Home>
Queue made_of(const Home& home);

}  // namespace detail

/// A bounded queue whose producers and consumers wait without blocking a thread.
/**
 * A producer that is faster than its consumer fills the memory, and one that waits on a
 * condition variable costs a thread. Here a coroutine, or a callback, waits instead.
 * Whatever ends the wait (a cancellation, a deadline, a stop, a close, another branch of a
 * select), no element is lost and none appears twice: what was assigned to a consumer that does not
 * take it is returned to the front, and what does not go in stays with its producer.
 *
 * Programs name one of the aliases, which differ in the order in which elements leave:
 * fifo_queue, shuffle_queue, priority_queue and padding_queue. The rules are those of
 * TensorFlow's queues, whose names the members have; docs/behaviour.md lists what differs.
 *
 * @par Example
 * @code
 * asio::awaitable<void> produce(sluice::fifo_queue<std::string>& words)
 * {
 *     for (std::string word : {"easy", "to", "wait", "for"})
 *         co_await words.enqueue(std::move(word));  // waits while the queue is full
 *     words.close();                                // no more to come
 * }
 *
 * asio::awaitable<void> consume(sluice::fifo_queue<std::string>& words)
 * {
 *     while (auto word = co_await words.next())  // waits while the queue is empty
 *         std::cout << *word << '\n';
 * }
 * @endcode
 *
 * @par Operations
 * `enqueue`, `dequeue` and the others return an operation, which does nothing until it is
 * awaited, in an asio::awaitable or in any other coroutine type. It refers to the queue and to
 * its arguments, so use it in the expression that makes it. `.within(duration)` and
 * `.until(time_point)` limit how long it may wait: it then fails with errc::timed_out, but one that
 * completes immediately succeeds whatever the limit. An operation that fails throws a system_error
 * that names the queue and the numbers; with `.as_tuple()`, `co_await` gives a tuple instead, which
 * begins with the error_code:
 * @code
 * auto [error, word] = co_await words.dequeue().within(50ms).as_tuple();
 * @endcode
 *
 * @par Completion tokens
 * Each `async_` member starts the operation of the same name with any completion
 * token. It completes never from within the call but as if by asio::post on the associated
 * executor; what `co_await` would throw comes as a code. Operations are served
 * in the order of the calls. Only the allocation of the operation may throw, and then nothing
 * has changed. All else is as without a token: errors, cancellation, object lifetime and thread
 * safety.
 *
 * @par Completion
 * An awaited operation that completes immediately neither suspends nor allocates; after 128 of
 * those in a row on one thread, one is posted to the executor, so that no other coroutine starves
 * (all are in an asio::awaitable with SLUICE_PORTABLE_AWAIT). All other completions run as if by
 * asio::post on the associated executor: that of the coroutine, or of the completion handler, and
 * the queue's if there is none. They are delivered in the order in which they were decided, never
 * under a lock and never on the stack of the other side. The waiter lives in the coroutine's frame;
 * a completion token costs one allocation, with the associated allocator.
 *
 * @par Ordering
 * First come, first served on each side, and a later operation never passes an earlier one. Only
 * the first operation of a side is served, so that a large batch is not starved by small ones;
 * those behind it wait even if there is enough for them.
 *
 * @par Overflow
 * With `.overflow = overflow::drop_oldest` or `drop_newest` in the options no enqueue waits: while
 * the queue is full, elements are dropped, and each enqueue succeeds. dropped() counts them.
 * Consumers who wait take what they can first, and what a batch holds is not dropped. Elements that
 * a cancellation returned are the oldest. They are destroyed after the lock is released.
 *
 * @par Closing
 * close() refuses later enqueues at once, with errc::queue_closed. Those that wait go in as
 * room appears (close_mode::drain) or fail (close_mode::cancel_pending). What is stored is
 * never discarded: consumers take the rest and are then told errc::end_of_queue. If it was closed
 * with a cause, or by the stop of a coordinator, they are told that instead (S52): a cut is not the
 * end.
 *
 * @par Object lifetime
 * Operations that wait may outlive the queue: its destructor resolves them as
 * close(close_mode::cancel_pending) does, and destroys the elements that are left. If the
 * execution context of an operation or of its queue is destroyed first, the operation is
 * freed without being completed; while that happens no thread may use what waits there, as with
 * any I/O object. A suspended coroutine that is not an asio::awaitable may be destroyed on
 * its executor: that is a cancellation.
 *
 * @par Thread safety
 * Distinct objects: safe. Shared objects: safe without a strand, but for the destructor.
 *
 * @tparam T         the elements: move-constructible without an exception; neither copies, nor
 *                   assignment, nor a default constructor are needed. If a copy or a
 *                   comparison throws, the element stays where it is. It may be incomplete where
 *                   the queue is only named, as in a reference or a pointer.
 * @tparam Store     the order in which elements leave; see element_store.
 * @tparam Executor  where completions run that have no executor of their own.
 */
template <class T, class Store, class Executor>
class basic_queue
{
    // Not in the head, so that a queue of an incomplete type can be named.
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "the elements of a queue need a move constructor that cannot throw, or some "
        "would be lost when it does: declare it noexcept, or let the queue have "
        "std::unique_ptr<T>"
    );

    using core_type = detail::queue_core<T, Store>;
    using sides = detail::sides;
    using tries = detail::try_forms<core_type>;
    using default_token = detail::default_token<Executor>;

    template <class Waiter>
    using operation = detail::operation_of<Waiter, Executor>;

    template <detail::demand Kind>
    using batch_operation = operation<detail::dequeue_batch<core_type, Kind>>;

public:
    /// The type of the elements.
    using value_type = T;

    /// What a batch dequeue gives: `std::vector<T>`, or padded_batch for a padding_queue.
    using batch_type = typename Store::batch_type;

    /// The type of the executor for completions that have none of their own.
    using executor_type = Executor;

    /// queue_options, or shuffle_queue_options for a shuffle_queue.
    using options_type = typename Store::options_type;

    /// The same queue with an executor of another type.
    template <class Other>
    struct rebind_executor
    {
        /// The type of that queue.
        using other = basic_queue<T, Store, Other>;
    };

    /// Makes an empty, open queue.
    /**
     * @param executor  for completions that have no executor of their own.
     * @param options   capacity, which has no default, name and what else the order needs.
     * @throws system_error   errc::invalid_argument if an option is outside its range.
     * @par Exception safety  strong.
     */
    basic_queue(const Executor& executor, options_type options)
        : executor_(executor), core_(new core_type(options))
    {
        detail::attach_home(
            *core_,
            boost::asio::query(executor_, boost::asio::execution::context)
        );
    }

    /// Makes an empty, open queue that uses the executor of an io_context, a thread_pool, an
    /// io_context_pool or anything else that has one.
    template <detail::context_with<Executor> Context>
    basic_queue(Context& context, options_type options)
        : basic_queue(Executor(context.get_executor()), std::move(options))
    {
    }

    /// @cond
    // Refused in words. What else the compiler has to say would be three screens.
    template <
        detail::gives_executor<Executor> Home,
        class Given = detail::options_without_capacity>
        requires(
            !std::derived_from<std::remove_cvref_t<Home>, basic_queue> &&
            (std::same_as<Given, detail::options_without_capacity> ||
             std::integral<Given>)
        )
    explicit basic_queue(Home&& home, Given /*options*/ = {})
        : basic_queue(detail::made_of<basic_queue>(home))
    {
        static_assert(
            detail::never<Home>,
            "give the queue a capacity in braces, as {.capacity = 64}, or {.capacity = "
            "sluice::unbounded}"
        );
    }

    /// @endcond

    /// Takes over the queue of `other`, with all that is stored and all operations that wait.
    /**
     * Of `other`, only the destructor and the assignment may be called then.
     *
     * @par Preconditions  no other member of `other` is being called, and it has no operation that
     *                     was made and has not been started.
     */
    basic_queue(basic_queue&& other) noexcept
        : executor_(other.executor_), core_(std::move(other.core_))
    {
    }

    /// Takes over a queue with an executor of another type, as `as_default_on` of a completion
    /// token does.
    template <std::convertible_to<Executor> Other>
    explicit basic_queue(basic_queue<T, Store, Other>&& other)
        : executor_(other.get_executor()), core_(detail::queue_access::take_core(other))
    {
    }

    /// Ends this queue as its destructor does, then takes over that of `other`.
    basic_queue& operator=(basic_queue&& other) noexcept
    {
        basic_queue taken(std::move(other));
        executor_ = taken.executor_;
        core_.swap(taken.core_);
        return *this;
    }

    /// Closes the queue as `close(close_mode::cancel_pending)` does and destroys what is stored.
    /**
     * @par Preconditions  no other member is being called. Operations may wait.
     */
    ~basic_queue()
    {
        if (core_ == nullptr)  // moved from
            return;
        core_->shut_down();
        core_->detach();
    }

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const Executor& get_executor() const noexcept { return executor_; }

    /// How many elements are stored, without those that a waiting batch dequeue holds.
    [[nodiscard]] std::size_t size() const noexcept { return core_->size(); }

    /// The capacity as constructed. Elements that a cancellation returned may exceed it for a
    /// while.
    [[nodiscard]] std::size_t capacity() const noexcept { return core_->capacity(); }

    /// Whether close() has been called; true at once, also while enqueues still wait.
    [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

    /// The name that messages and reports use.
    [[nodiscard]] const std::string& name() const noexcept { return core_->name(); }

    /// Counts and sizes of one moment.
    /**
     * @par Complexity  O(number of waiting operations), under the lock: for reports, not for
     *                  decisions.
     */
    [[nodiscard]] queue_stats stats() const noexcept { return core_->stats(); }

    /// What the stored elements weigh, in a queue with a `weight_limit`; 0 in others.
    /**
     * @par Complexity     O(1), under the lock.
     * @par Thread safety  any thread.
     */
    [[nodiscard]] std::size_t weight() const noexcept { return core_->weight(); }

    /// How many elements an overflow or clear() has dropped since construction.
    /**
     * It never falls, so a consumer that compares it with what it was before knows whether
     * elements are missing. 0 with sluice::overflow::wait, if clear() is not called.
     *
     * @par Complexity     O(1), under the lock.
     * @par Thread safety  any thread.
     */
    [[nodiscard]] std::uint64_t dropped() const noexcept { return core_->dropped(); }

    /// Takes no new elements from now on; what is stored can still be dequeued.
    /**
     * May be called again: cancel_pending after drain fails the enqueues that still wait, and
     * a cause counts although it comes later; all else changes nothing.
     *
     * @param mode  what becomes of the enqueues that wait already.
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void close(close_mode mode = close_mode::drain) noexcept { core_->close({mode}); }

    /// Closes as close_mode::cancel_pending and tells consumers why.
    /**
     * Once the queue is drained, consumers get `cause` where they would have got
     * errc::end_of_queue; next() throws it, too.
     *
     * @param cause  the first one counts; with null this is close(). Where only a code can be
     *               given, it is that of a system_error, otherwise errc::input_failed.
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void close(std::exception_ptr cause) noexcept { core_->close_with(std::move(cause)); }

    /// Closes as `mode` says and tells consumers why.
    /**
     * With close_mode::drain the enqueues that wait still go in, and consumers get `cause` after
     * those elements.
     *
     * @param mode   what becomes of the enqueues that wait already.
     * @param cause  as for close(std::exception_ptr); null is none.
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void close(close_mode mode, std::exception_ptr cause) noexcept
    {
        core_->close({mode, closer::caller, std::move(cause)});
    }

    /// Ends all operations that wait, with asio::error::operation_aborted.
    /**
     * As if each were cancelled: no element is lost. The queue stays open.
     *
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void cancel() noexcept { core_->cancel_all(boost::asio::error::operation_aborted); }

    /// Ends all operations that wait for room, with asio::error::operation_aborted.
    /**
     * These are `enqueue` in all its forms and `reserve`, also as branches of a select. What they
     * did not bring in stays with its producer. Operations that wait for elements, and those that
     * start later, are not affected.
     *
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void cancel_enqueues() noexcept
    {
        core_->cancel_all(boost::asio::error::operation_aborted, sides::producers);
    }

    /// Ends all operations that wait for elements, with asio::error::operation_aborted.
    /**
     * These are `dequeue`, `next` and the batches, also as branches of a select. What a batch holds
     * returns to the front, in order. Operations that wait for room, and those that start later,
     * are not affected.
     *
     * @par Preconditions     none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void cancel_dequeues() noexcept
    {
        core_->cancel_all(boost::asio::error::operation_aborted, sides::consumers);
    }

    /// Destroys all elements that are stored, and gives back their memory.
    /**
     * The queue stays as it is, open or closed. Enqueues that wait go in then. What a batch that
     * waits holds, and what a permit will bring, is not stored, so it stays. Of an enqueue_many in
     * progress only what is in is destroyed. The elements count as dropped.
     *
     * @return how many were destroyed.
     * @par Exception safety  strong; only taking memory for places and batches that are kept may
     *                        throw.
     * @par Complexity        O(1) under the lock without those; the elements are destroyed after it
     *                        is released.
     * @par Thread safety     any thread.
     */
    std::size_t clear()
        requires requires(Store store) { store.clear(std::size_t{}); }
    {
        return core_->clear();
    }

    /// Gives back memory that was used when more elements were stored.
    /**
     * A queue keeps its memory, so that it takes none in steady use. After a flood that will not
     * come again, this leaves what is needed for the elements, places and held batches of now.
     *
     * @par Exception safety  strong; taking memory may throw.
     * @par Complexity        O(1) under the lock for a fifo_queue and a padding_queue, otherwise
     *                        O(size).
     * @par Thread safety     any thread.
     */
    void shrink_to_fit()
        requires requires(Store store) { store.shrink_to_fit(std::size_t{}); }
    {
        core_->shrink_to_fit();
    }

    /// Adds an element if that is possible without waiting.
    /**
     * @param element  moved from only if it goes in.
     * @return false, with the element untouched, if the queue is full or closed or if other
     *         enqueues wait.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] bool try_enqueue(T&& element)
    {
        return tries::push(*core_, std::move(element));
    }

    /// Adds a copy of an element if that is possible without waiting.
    /**
     * As try_enqueue(T&&). The copy is made only if there is room.
     */
    [[nodiscard]] bool try_enqueue(const T& element)
        requires std::copy_constructible<T>
    {
        return tries::push(*core_, element);
    }

    /// Adds an element if that is possible without waiting, and says why it is not.
    /**
     * @param element  moved from only if it goes in.
     * @param error    errc::queue_full, errc::queue_busy if other enqueues wait, or
     *                 errc::queue_closed; no error if the element went in.
     * @return whether it went in.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] bool try_enqueue(T&& element, error_code& error)
    {
        return tries::push(*core_, std::move(element), &error);
    }

    /// Adds a copy of an element if that is possible without waiting, and says why it is not.
    /**
     * As try_enqueue(T&&, error_code&). The copy is made only if there is room.
     */
    [[nodiscard]] bool try_enqueue(const T& element, error_code& error)
        requires std::copy_constructible<T>
    {
        return tries::push(*core_, element, &error);
    }

    /// Adds as many of the elements, from the first on, as is possible without waiting.
    /**
     * @return how many went in; the others are untouched.
     * @par Preconditions     none.
     * @par Exception safety  basic: elements that went in stay in.
     * @par Thread safety     any thread.
     */
    std::size_t try_enqueue_many(std::span<T> elements)
    {
        return tries::push_many(*core_, elements);
    }

    /// Adds as many of the elements as is possible without waiting, and says why not all.
    /**
     * @param elements  moved from, those that go in.
     * @param error     as for try_enqueue(); no error if all went in.
     * @return how many went in; the others are untouched.
     * @par Preconditions     none.
     * @par Exception safety  basic: elements that went in stay in.
     * @par Thread safety     any thread.
     */
    std::size_t try_enqueue_many(std::span<T> elements, error_code& error)
    {
        return tries::push_many(*core_, elements, &error);
    }

    /// Takes an element if that is possible without waiting.
    /**
     * @return nothing if there is no element, or if other dequeues wait.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] std::optional<T> try_dequeue() { return tries::pop(*core_); }

    /// Takes an element if that is possible without waiting, and says why it is not.
    /**
     * @param error  errc::queue_empty, errc::queue_busy if other dequeues wait, or
     *               errc::end_of_queue, or the code of the cause the queue was closed with; no
     *               error if there is an element.
     * @return the element, if there is one for this caller.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] std::optional<T> try_dequeue(error_code& error)
    {
        return tries::pop(*core_, &error);
    }

    /// Takes as many elements as is possible without waiting, at most `max`.
    /**
     * @return the elements; empty if there is none, or if other dequeues wait.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] batch_type try_dequeue_many(std::size_t max)
    {
        return tries::pop_many(*core_, max);
    }

    /// Takes as many elements as is possible without waiting, and says why there is none.
    /**
     * @param max    how many at most.
     * @param error  as for try_dequeue(); no error if there is at least one, or `max` is 0.
     * @return the elements.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] batch_type try_dequeue_many(std::size_t max, error_code& error)
    {
        return tries::pop_many(*core_, max, &error);
    }

    /// Adds one element, waiting until there is room.
    /**
     * Completes when the element is in the queue; at capacity 0, when a consumer takes it. If
     * the operation fails, for whatever reason, the element is untouched.
     *
     * GCC before 13 destroys a temporary aggregate in a `co_await` expression twice. There this
     * does not compile for aggregates that have something to destroy: use emplace(), or pass
     * `std::ref(item)`. If a program only moves named elements, it may define
     * `SLUICE_ALLOW_AGGREGATE_TEMPORARIES`.
     *
     * @param element  must live until the operation completes; moved from on success only.
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            at once if there is room and no enqueue waits; otherwise as if
     *                            by asio::post on the associated executor.
     * @par Errors
     * @li errc::queue_closed  the queue is closed, or was closed with cancel_pending meanwhile
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  a copy, a comparison or taking memory threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial, total: all supported; the element stays with
     *                            the caller. Once it is in the queue the operation succeeds.
     * @par Ordering              behind all enqueues that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1) and one `push` of the store.
     */
    operation<detail::borrowed_enqueue<core_type, T>> enqueue(T&& element
                                                                  SLUICE_LIFETIME_BOUND)
    {
        static_assert(detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return {{core_.get(), std::addressof(element)}, executor_};
    }

    /// Adds one element that has a name, waiting until there is room.
    /**
     * As enqueue(T&&), with every compiler: `co_await queue.enqueue(std::ref(item))`.
     *
     * @param element  must live until the operation completes; moved from on success only.
     * @return an operation; `co_await` gives nothing.
     */
    template <
        std::same_as<std::reference_wrapper<T>> Reference>  // and no T that becomes one
    operation<detail::borrowed_enqueue<core_type, T>> enqueue(Reference element)
    {
        return {{core_.get(), std::addressof(element.get())}, executor_};
    }

    /// Adds a copy of one element, waiting until there is room.
    /**
     * As enqueue(T&&). The copy is made when there is room, so a failure costs no copy.
     *
     * @param element  must live, unchanged, until the operation completes.
     * @return an operation; `co_await` gives nothing.
     */
    operation<detail::borrowed_enqueue<core_type, const T>> enqueue(
        const T& element SLUICE_LIFETIME_BOUND
    )
        requires std::copy_constructible<T>
    {
        return {{core_.get(), std::addressof(element)}, executor_};
    }

    /// Builds an element and adds it, waiting until there is room.
    /**
     * As enqueue(), but the operation owns its element, so it can be stored, or called with a
     * completion token. If the operation fails the element is destroyed.
     *
     * @param args  what the constructor of the element gets, in this call.
     * @return an operation; `co_await` gives nothing.
     * @par Completion signature  `void(error_code)`
     */
    template <class... Args>
        requires std::constructible_from<T, Args...>
    operation<detail::owning_enqueue<core_type>> emplace(Args&&... args)
    {
        static_assert((detail::destroyed_once<Args> && ...), SLUICE_DESTROYED_TWICE);
        return {{core_.get(), T(std::forward<Args>(args)...)}, executor_};
    }

    /// Adds several elements in order, waiting until all are in.
    /**
     * Not atomic: elements go in as room appears, so there may be more of them than the
     * capacity. No element of another producer comes between them. When the operation is cut
     * short, those that are in stay in and the others are untouched; unlike in TensorFlow, the
     * caller learns how many went in.
     *
     * @param elements  must live until the operation completes; each is moved from when it goes
     *                  in. An empty span succeeds at once, also on a closed queue.
     * @return an operation; `co_await` gives how many went in, which is all of them.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::size_t)`; the number is always right.
     * @par Completion            at once if there is room for all and no enqueue waits; otherwise
     *                            as if by asio::post on the associated executor.
     * @par Errors
     * @li errc::queue_closed  the queue is closed, or was closed with cancel_pending meanwhile
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  a copy, a comparison or taking memory threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial: supported; what is in stays in, the rest stays
     *                            with the caller. Total: supported while none is in; it does
     *                            nothing afterwards. Once all are in the operation succeeds.
     * @par Ordering              behind all enqueues that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      basic: what is in stays in.
     * @par Thread safety         any thread.
     * @par Complexity            O(number of elements), each one `push` of the store.
     */
    operation<detail::enqueue_rows<core_type>> enqueue_many(std::span<T> elements)
    {
        return {{core_.get(), elements}, executor_};
    }

    /// Takes a place for an element that comes later, waiting until there is room.
    /**
     * Completes when the queue has room, which is then kept. Filling the permit neither waits nor
     * takes memory; dropping it returns the place. So a stage that reserves, dequeues, computes
     * and fills never has an element in hand that it cannot put anywhere.
     *
     * @return an operation; `co_await` gives a permit.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, permit<T>)`
     * @par Completion            as enqueue().
     * @par Errors
     * @li errc::queue_closed  the queue is closed, or was closed with cancel_pending meanwhile
     * @li errc::invalid_argument  the capacity is 0: a rendezvous has no places
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  taking memory threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled; no place was taken
     * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
     *                            resumed or the handler entered, the place returns to the queue.
     * @par Ordering              behind all enqueues that wait already. Elements are in the order
     *                            in which they come into their places, not in that of the permits.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1), and the memory for one element.
     */
    operation<detail::place_request<core_type, permit<T>>> reserve()
    {
        return {{core_.get()}, executor_};
    }

    /// Takes a place if that is possible without waiting.
    /**
     * @return a permit without a place if the queue is full or closed, if other enqueues wait, or
     *         if the capacity is 0.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] permit<T> try_reserve()
    {
        error_code ignored;
        return try_reserve(ignored);
    }

    /// Takes a place if that is possible without waiting, and says why it is not.
    /**
     * @param error  errc::queue_full, errc::queue_busy if other enqueues wait,
     *               errc::queue_closed, or errc::invalid_argument if the capacity is 0; no error
     *               if there is a place.
     * @return a permit, without a place if there was an error.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] permit<T> try_reserve(error_code& error)
    {
        return tries::template place<permit<T>>(*core_, error);
    }

    /// Takes one element, waiting until there is one.
    /**
     * Completes when there is an element for it, or when no more can come: the queue is closed,
     * empty, and no enqueue waits.
     *
     * @return an operation; `co_await` gives the element, with as_tuple() a
     *         `std::tuple<error_code, std::optional<T>>`.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<T>)`
     * @par Completion            at once if there is an element and no dequeue waits; otherwise as
     *                            if by asio::post on the associated executor.
     * @par Errors
     * @li errc::end_of_queue  closed and drained
     * @li errc::stop_requested  the same, but the stop of a coordinator closed it
     * @li errc::input_failed  the same, but it was closed with a cause: `co_await` throws that, and
     *     the code is that of the cause if it is a system_error
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  a comparison threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled; no element was taken
     * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
     *                            resumed or the handler entered, an element that was assigned
     *                            already is returned to the front.
     * @par Ordering              behind all dequeues that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::end_of_queue.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1) and one `pop` of the store.
     */
    operation<detail::dequeue_one<core_type>> dequeue()
    {
        return {{core_.get()}, executor_};
    }

    /// Takes one element, or nothing at the end of the queue.
    /**
     * As dequeue(), but the end of the queue is no error, which makes a loop:
     * `while (auto item = co_await queue.next())`.
     *
     * @return an operation; `co_await` gives a `std::optional<T>`, empty at the end.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<T>)`
     * @par Completion            as dequeue().
     * @par Errors                as dequeue(), without errc::end_of_queue; but the cause of
     *                            close(std::exception_ptr) is thrown, or its code given.
     * @par Cancellation          terminal, partial, total: all supported, as dequeue().
     * @par Ordering              behind all dequeues that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: no element.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1) and one `pop` of the store.
     */
    operation<detail::dequeue_next<core_type>> next()
    {
        return {{core_.get()}, executor_};
    }

    /// Takes exactly `count` elements, waiting until it has them.
    /**
     * While it is at the head of the wait list it holds the elements that arrive, so `count` may
     * exceed the capacity; size() does not count them. If it fails, all it holds is returned to the
     * front, in order. A priority_queue gives all elements at one time, so that the batch is
     * sorted. While it holds elements others go in, so one that gives up, even at once
     * (`within(0s)`, a branch that loses), may leave size() far above the capacity.
     *
     * @param count  0 succeeds at once, with an empty batch, also on a closed queue.
     * @return an operation; `co_await` gives a batch_type of `count` elements.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, batch_type)`
     * @par Completion            at once if there are enough elements and no dequeue waits;
     *                            otherwise as if by asio::post on the associated executor.
     * @par Errors
     * @li errc::end_of_queue  closed, and fewer elements are left, which stay; as dequeue() if it
     *     was closed with a cause
     * @li errc::invalid_argument  more than the capacity of a priority_queue
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::element_failed  a comparison, or taking memory, threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled; no element was taken
     * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
     *                            resumed or the handler entered, all elements are returned to the
     *                            front, in order. (In TensorFlow they are lost.)
     * @par Ordering              behind all dequeues that wait already; later ones wait behind it.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::end_of_queue.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(count), each one `pop` of the store.
     */
    batch_operation<detail::demand::exactly> dequeue_many(std::size_t count)
    {
        return {{core_.get(), count}, executor_};
    }

    /// Takes exactly `count` elements; once the queue is closed, fewer if no more are left.
    /**
     * As dequeue_many() while the queue is open: it never returns short then. Once the queue is
     * closed and no enqueue waits, it takes what is left, at least one element.
     *
     * Where a batch is better late than never, but not much too late, let it linger:
     * `co_await q.dequeue_up_to(100).linger(50ms)` gives 100 elements, or what there is 50 ms after
     * the first of them came.
     *
     * @param count  0 succeeds at once, with an empty batch, also on a closed queue.
     * @return an operation; `co_await` gives a batch_type.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, batch_type)`
     * @par Completion            as dequeue_many().
     * @par Errors                as dequeue_many(), but errc::end_of_queue only if the queue is
     *                            closed and nothing is left.
     * @par Cancellation          terminal, partial, total: all supported, as dequeue_many().
     * @par Ordering              behind all dequeues that wait already; later ones wait behind it.
     * @par Object lifetime       `*this` may be destroyed while this waits: as if it were closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(count), each one `pop` of the store.
     */
    batch_operation<detail::demand::up_to> dequeue_up_to(std::size_t count)
    {
        return {{core_.get(), count}, executor_};
    }

    /// Takes what is there, at least one element and at most `max`.
    /**
     * Waits only until there is one element. TensorFlow has no such operation; it suits
     * consumers that handle batches but must not wait for a full one.
     *
     * @param max  0 succeeds at once, with an empty batch, also on a closed queue.
     * @return an operation; `co_await` gives a batch_type.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, batch_type)`
     * @par Completion            at once if there is an element and no dequeue waits; otherwise as
     *                            if by asio::post on the associated executor.
     * @par Errors                as dequeue().
     * @par Cancellation          terminal, partial, total: all supported, as dequeue_many().
     * @par Ordering              behind all dequeues that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::end_of_queue.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(number of elements taken), each one `pop` of the store.
     */
    batch_operation<detail::demand::some> dequeue_some(std::size_t max)
    {
        return {{core_.get(), max}, executor_};
    }

    /// Adds one element, waiting until there is room, with a completion token.
    /**
     * As enqueue(), but the operation owns its element, which is destroyed if it does not go in
     * or if there is no memory for the operation.
     *
     * @par Completion signature  `void(error_code)`
     */
    template <boost::asio::completion_token_for<void(error_code)> Token = default_token>
    auto async_enqueue(T&& element, Token&& token = Token())
    {
        operation<detail::owning_enqueue<core_type>> enqueued(
            {core_.get(), std::move(element)},
            executor_
        );
        using result = decltype(std::move(enqueued)(std::forward<Token>(token)));
        if constexpr (!std::is_void_v<result>)  // a result may be awaited
            static_assert(detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return std::move(enqueued)(std::forward<Token>(token));
    }

    /// Adds a copy of one element, waiting until there is room, with a completion token.
    /**
     * As enqueue(), but the operation owns the copy, which is made in this call.
     *
     * @par Completion signature  `void(error_code)`
     */
    template <boost::asio::completion_token_for<void(error_code)> Token = default_token>
        requires std::copy_constructible<T>
    auto async_enqueue(const T& element, Token&& token = Token())
    {
        return emplace(element)(std::forward<Token>(token));
    }

    /// Adds one element that stays with the caller if it is refused, with a completion token.
    /**
     * As enqueue(): `queue.async_enqueue(std::ref(item), token)`.
     *
     * @param element  must live until the operation completes; moved from on success only.
     * @param token    a completion token.
     * @par Completion signature  `void(error_code)`
     */
    template <
        std::same_as<std::reference_wrapper<T>> Reference,
        boost::asio::completion_token_for<void(error_code)> Token = default_token>
    auto async_enqueue(Reference element, Token&& token = Token())
    {
        return start<detail::borrowed_enqueue<core_type, T>>(
            {core_.get(), std::addressof(element.get())},
            std::forward<Token>(token)
        );
    }

    /// Adds several elements in order, with a completion token.
    /**
     * As enqueue_many().
     *
     * @param elements  must live until the operation completes.
     * @param token     a completion token.
     * @par Completion signature  `void(error_code, std::size_t)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::size_t)> Token =
            default_token>
    auto async_enqueue_many(std::span<T> elements, Token&& token = Token())
    {
        return start<detail::enqueue_rows<core_type>>(
            {core_.get(), elements},
            std::forward<Token>(token)
        );
    }

    /// Takes a place for an element that comes later, with a completion token.
    /**
     * As reserve().
     *
     * @par Completion signature  `void(error_code, permit<T>)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, permit<T>)> Token =
            default_token>
    auto async_reserve(Token&& token = Token())
    {
        return reserve()(std::forward<Token>(token));
    }

    /// Takes one element, waiting until there is one, with a completion token.
    /**
     * As dequeue().
     *
     * @par Completion signature  `void(error_code, std::optional<T>)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::optional<T>)> Token =
            default_token>
    auto async_dequeue(Token&& token = Token())
    {
        return dequeue()(std::forward<Token>(token));
    }

    /// Takes one element, or nothing at the end of the queue, with a completion token.
    /**
     * As next().
     *
     * @par Completion signature  `void(error_code, std::optional<T>)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::optional<T>)> Token =
            default_token>
    auto async_next(Token&& token = Token())
    {
        return next()(std::forward<Token>(token));
    }

    /// Takes exactly `count` elements, with a completion token.
    /**
     * As dequeue_many().
     *
     * @par Completion signature  `void(error_code, batch_type)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, batch_type)> Token =
            default_token>
    auto async_dequeue_many(std::size_t count, Token&& token = Token())
    {
        return dequeue_many(count)(std::forward<Token>(token));
    }

    /// Takes `count` elements, or what a closed queue has left, with a completion token.
    /**
     * As dequeue_up_to().
     *
     * @par Completion signature  `void(error_code, batch_type)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, batch_type)> Token =
            default_token>
    auto async_dequeue_up_to(std::size_t count, Token&& token = Token())
    {
        return dequeue_up_to(count)(std::forward<Token>(token));
    }

    /// Takes what is there, at most `max` elements, with a completion token.
    /**
     * As dequeue_some().
     *
     * @par Completion signature  `void(error_code, batch_type)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, batch_type)> Token =
            default_token>
    auto async_dequeue_some(std::size_t max, Token&& token = Token())
    {
        return dequeue_some(max)(std::forward<Token>(token));
    }

private:
    template <class Waiter, class Token>
    auto start(typename Waiter::arguments&& args, Token&& token)
    {
        return detail::initiate<Waiter>(
            std::move(args),
            executor_,
            std::forward<Token>(token)
        );
    }

    friend struct detail::queue_access;

    Executor executor_;
    boost::intrusive_ptr<core_type> core_;
};

}  // namespace sluice
