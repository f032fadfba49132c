// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/all_cancellations.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/queue_options.hpp>
#include <sluice/queue/semaphore.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {
namespace detail {

// What a broadcast, its subscriptions and its publishers share.
//
// (N1) The owner of the permit of `turn_` is the only one that waits for places of subscribers, so
//      no two publishers wait for each other, and all subscribers get the same order.
// (N2) An element goes into no queue before there is a place for it in each. One that has a rule
//      of overflow always has room, and takes the element when all others have a place.
// (N3) A queue whose subscriber has gone is closed, which ends a publisher's wait for it.
template <class T>
class broadcast_core
{
public:
    using queue = fifo_queue<T>;
    using queue_ptr = std::shared_ptr<queue>;

    explicit broadcast_core(const boost::asio::any_io_executor& executor)
        : turn_(executor, {.permits = 1, .name = "turn to publish"})
    {
    }

    [[nodiscard]] queue_ptr subscribe(const queue_options& options)
    {
        if (options.capacity == 0)
            throw system_error(
                errc::invalid_argument,
                "broadcast: the queue of a subscriber keeps elements until they are "
                "taken; its capacity must be at least 1"
            );
        auto added = std::make_shared<queue>(get_executor(), options);
        const std::lock_guard lock(mutex_);
        if (is_closed_)
            added->close(cause_);
        else
            subscribers_.push_back({added, options.overflow == overflow::wait});
        return added;
    }

    void unsubscribe(const queue_ptr& gone) noexcept
    {
        {
            const std::lock_guard lock(mutex_);
            std::erase_if(subscribers_, [&gone](const subscriber& each) {
                return each.queue == gone;
            });
        }
        gone->close(close_mode::cancel_pending);  // (N3)
        try {
            gone->clear();  // a publisher that waits for another subscriber has it, too
        } catch (const std::bad_alloc&) {
            // then it is cleared with the last publisher
        }
    }

    void close(const std::exception_ptr& cause) noexcept
    {
        std::vector<subscriber> all;
        {
            const std::lock_guard lock(mutex_);
            if (!is_closed_)
                cause_ = cause;
            is_closed_ = true;
            all.swap(subscribers_);
        }
        for (const subscriber& each : all)
            each.queue->close(cause);
    }

    [[nodiscard]] std::size_t subscribers() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return subscribers_.size();
    }

    [[nodiscard]] bool is_closed() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return is_closed_;
    }

    [[nodiscard]] const boost::asio::any_io_executor& get_executor() const noexcept
    {
        return turn_.get_executor();
    }

    [[nodiscard]] semaphore& turn() noexcept { return turn_; }

    // In the turn of its caller, or in one that it waits for.
    static boost::asio::awaitable<std::size_t> publish(
        std::shared_ptr<broadcast_core> self,
        T element,
        semaphore_permit turn = {}
    )
    {
        if (!turn)
            turn = co_await self->turn_.acquire();  // (N1)
        error_code error;
        delivery all = self->begin(error);
        for (const subscriber& each : all.receivers) {
            if (!each.is_waited_for)
                continue;
            auto [failed, place] = co_await each.queue->reserve().as_tuple();
            error = self->add(std::move(place), failed, all);
            if (error)
                break;
        }
        if (error)
            throw system_error(error, "broadcast::publish");
        co_return complete(all, element);
    }

    // Empty, with the reason, if it would have to wait.
    [[nodiscard]] std::optional<std::size_t> try_publish(
        const T& element,
        error_code& error
    )
    {
        const semaphore_permit turn = turn_.try_acquire();  // (N1)
        delivery all = begin(error);
        if (!turn && !error)
            error = errc::queue_busy;
        if (error)
            return std::nullopt;
        for (const subscriber& each : all.receivers) {
            if (!each.is_waited_for)
                continue;
            error_code failed;
            permit<T> place = each.queue->try_reserve(failed);
            error = add(std::move(place), failed, all);
            if (error)
                return std::nullopt;
        }
        return complete(all, element);
    }

private:
    struct subscriber
    {
        queue_ptr queue;
        bool is_waited_for;
    };

    // An element on its way, and the places that it has so far.
    struct delivery
    {
        std::vector<subscriber> receivers;
        std::vector<permit<T>> places;
    };

    // A closed one has no receivers any more.
    [[nodiscard]] delivery begin(error_code& error) const
    {
        delivery all;
        const std::lock_guard lock(mutex_);
        error = is_closed_ ? errc::queue_closed : error_code();
        all.receivers = subscribers_;
        all.places.reserve(subscribers_.size());
        return all;
    }

    // Why there is no place; no error if the subscriber has gone.
    [[nodiscard]] error_code add(permit<T> place, error_code failed, delivery& all) const
    {
        if (!failed)
            all.places.push_back(std::move(place));
        return failed == errc::queue_closed && !is_closed() ? error_code() : failed;
    }

    [[nodiscard]] static std::size_t complete(delivery& all, const T& element)
    {
        // Taken and returned: a queue keeps the memory, and one that is full needs none to drop.
        for (const subscriber& each : all.receivers)
            if (!each.is_waited_for)
                static_cast<void>(each.queue->try_reserve());
        std::vector<T> copies(all.receivers.size(), element);
        std::size_t taken = 0;
        // Nothing fails from here on.
        for (const subscriber& each : all.receivers)
            if (!each.is_waited_for && each.queue->try_enqueue(std::move(copies[taken])))
                ++taken;
        for (permit<T>& place : all.places)  // (N2)
            place.fill(std::move(copies[taken++]));
        return taken;
    }

    semaphore turn_;
    mutable std::mutex mutex_;             // memory is taken under it
    std::vector<subscriber> subscribers_;  // guarded by mutex_
    bool is_closed_ = false;               // guarded by mutex_
    std::exception_ptr cause_;             // guarded by mutex_; of the close
};

// async_publish(): its turn is taken in the order of the calls, and a coroutine does the rest.
template <class T>
class publish_op
{
    using core_ptr = std::shared_ptr<broadcast_core<T>>;

public:
    publish_op(core_ptr core, T element)
        : core_(std::move(core)), element_(std::move(element))
    {
    }

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        core_->turn().async_acquire(std::move(self));
    }

    template <class Self>
    void operator()(Self& self, error_code error, semaphore_permit turn)
    {
        if (error)
            return self.complete(error, 0);
        const boost::asio::any_io_executor executor(self.get_executor());
        boost::asio::co_spawn(
            executor,
            publish(std::move(core_), std::move(element_), std::move(turn)),
            std::move(self)
        );
    }

    template <class Self>
    void operator()(Self& self, const std::exception_ptr& failure, std::size_t taken)
    {
        self.complete(
            failure ? code_of(failure, errc::element_failed) : error_code(),
            taken
        );
    }

private:
    static boost::asio::awaitable<std::size_t> publish(
        core_ptr core,
        T element,
        semaphore_permit turn
    )
    {
        co_await heed_all_cancellations();
        co_return co_await broadcast_core<T>::publish(
            std::move(core),
            std::move(element),
            std::move(turn)
        );
    }

    core_ptr core_;
    T element_;
};

}  // namespace detail

/// Gets each element that is published while it exists; made by broadcast::subscribe().
/**
 * A queue of its own: next() takes from it, and queue() gives it to whatever takes a queue.
 *
 * @par Closing          after the broadcast is closed or destroyed, it gets the rest and then the
 *                       end.
 * @par Object lifetime  the destructor unsubscribes and destroys what was not taken; a consumer
 *                       that waits in next() gets the end. The broadcast may be destroyed first.
 * @par Thread safety    distinct objects: safe. Shared objects: safe, but for unsubscribe(), moves
 *                       and the destructor.
 */
template <class T>
class subscription
{
public:
    /// Subscribes to nothing.
    subscription() noexcept = default;

    /// Takes the place of `other`, which then subscribes to nothing.
    subscription(subscription&& other) noexcept = default;

    /// Unsubscribes and takes the place of `other`.
    subscription& operator=(subscription&& other) noexcept
    {
        subscription taken(std::move(other));
        core_.swap(taken.core_);
        queue_.swap(taken.queue_);
        return *this;
    }

    /// As unsubscribe().
    ~subscription() { unsubscribe(); }

    /// Gets nothing more. A publisher that waits for this subscriber waits no longer.
    void unsubscribe() noexcept
    {
        if (queue_ != nullptr)
            core_->unsubscribe(queue_);
        queue_.reset();
        core_.reset();
    }

    /// Whether it subscribes.
    [[nodiscard]] explicit operator bool() const noexcept { return queue_ != nullptr; }

    /// Takes the next element, or nothing at the end, as basic_queue::next().
    /**
     * @par Preconditions  it subscribes.
     */
    [[nodiscard]] auto next() { return queue_->next(); }

    /// How many elements were dropped because this subscriber was slow; see
    /// basic_queue::dropped().
    /**
     * @par Preconditions  it subscribes.
     */
    [[nodiscard]] std::uint64_t dropped() const noexcept { return queue_->dropped(); }

    /// The queue in which the elements wait, for runners, select and batches.
    /**
     * To close it is to get nothing more; the rest can still be taken.
     *
     * @par Preconditions  it subscribes.
     */
    [[nodiscard]] fifo_queue<T>& queue() const noexcept { return *queue_; }

private:
    friend class broadcast<T>;
    using core = detail::broadcast_core<T>;

    subscription(
        std::shared_ptr<core> from,
        std::shared_ptr<fifo_queue<T>> queue
    ) noexcept
        : core_(std::move(from)), queue_(std::move(queue))
    {
    }

    std::shared_ptr<core> core_;
    std::shared_ptr<fifo_queue<T>> queue_;  // null: no subscription
};

/// Gives each element to every subscriber.
/**
 * Consumers of a queue share its elements; sometimes each of them needs them all. Here each
 * subscriber has a queue of its own, with its own capacity, overflow rule and name. One that is
 * slow holds up the publishers, unless its queue drops elements. Elements are copied: use
 * `std::shared_ptr<const T>` for large ones.
 *
 * @par Example
 * @code
 * sluice::broadcast<std::string> news{pool};
 * auto reader = news.subscribe({.capacity = 16, .name = "reader"});
 * co_await news.publish("hello");         // waits while the queue of a subscriber is full
 * news.close();
 * while (auto line = co_await reader.next())
 *     std::cout << *line << '\n';
 * @endcode
 *
 * @par Ordering         publishers are served one after the other, first come, first served. All
 *                       subscribers get the elements in that order.
 * @par Closing          close() and the destructor let subscribers take the rest.
 * @par Object lifetime  subscriptions and publishers may outlive it.
 * @par Thread safety    distinct objects: safe. Shared objects: safe, but for the destructor.
 *
 * @tparam T  the elements: copyable, and as for a queue.
 */
template <class T>
class broadcast
{
    static_assert(
        std::copy_constructible<T>,
        "each subscriber of a broadcast gets a copy of the element: let the broadcast "
        "have std::shared_ptr<const T>"
    );

public:
    /// Has no subscribers.
    explicit broadcast(const boost::asio::any_io_executor& executor)
        : core_(std::make_shared<detail::broadcast_core<T>>(executor))
    {
    }

    /// On the executor of an io_context, an io_context_pool or anything else that has one.
    template <detail::context_with<boost::asio::any_io_executor> Context>
    explicit broadcast(Context& context)
        : broadcast(boost::asio::any_io_executor(context.get_executor()))
    {
    }

    broadcast(const broadcast&) = delete;
    broadcast& operator=(const broadcast&) = delete;

    /// As close().
    ~broadcast() { close(); }

    /// Adds a subscriber, who gets what is published from now on.
    /**
     * @param options  of its queue. While it is full publishers wait, or elements are dropped, as
     *                 `overflow` says; subscription::dropped() counts.
     * @return to keep for as long as elements are wanted. After close() it gets the end only.
     * @throws system_error   errc::invalid_argument if an option is outside its range, or the
     *                        capacity is 0.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] subscription<T> subscribe(queue_options options)
    {
        return {core_, core_->subscribe(options)};
    }

    /// Gives an element to all subscribers, waiting until each has room.
    /**
     * All of those that subscribe when its turn comes get the element, or none, apart from
     * subscribers that leave meanwhile. The slowest one that is full is waited for, and other
     * publishers wait behind this one. A subscriber with an overflow rule is not waited for: it
     * gets the element when all others have room, and drops what its rule says. If close() comes at
     * that moment it may not get the element, although others do.
     *
     * GCC before 13 refuses an aggregate that is moved or made here, as for basic_queue::enqueue():
     * pass a named one, which is copied.
     *
     * @param element  copied for each subscriber. Without subscribers it is dropped.
     * @return how many queues took it.
     * @throws system_error  errc::queue_closed if close() came before all had room; no subscriber
     *                       got it.
     * @throws everything that copying the element throws; no subscriber got it.
     * @par Cancellation     ends the wait; no subscriber got the element.
     * @par Object lifetime  the broadcast may be destroyed while this waits: errc::queue_closed.
     * @par Thread safety    any thread.
     * @par Complexity       O(number of subscribers) copies, and some allocations.
     */
    [[nodiscard]] boost::asio::awaitable<std::size_t> publish(T&& element)
    {
        static_assert(detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return detail::broadcast_core<T>::publish(core_, std::move(element));
    }

    /// Gives a copy of an element to all subscribers, as publish(T&&).
    [[nodiscard]] boost::asio::awaitable<std::size_t> publish(const T& element)
    {
        return detail::broadcast_core<T>::publish(core_, element);
    }

    /// Gives an element to all subscribers, waiting until each has room, with a completion token.
    /**
     * As publish(), but the operation owns its element, and its turn comes in the order of the
     * calls. What publish() would throw comes as a code: errc::element_failed if it has none.
     * Cancellation: terminal, partial and total are all supported.
     *
     * @par Completion signature  `void(error_code, std::size_t)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::size_t)> Token =
            boost::asio::deferred_t>
    auto async_publish(T&& element, Token&& token = Token())
    {
        using result = decltype(start(std::move(element), std::forward<Token>(token)));
        if constexpr (!std::is_void_v<result>)  // a result may be awaited
            static_assert(detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return start(std::move(element), std::forward<Token>(token));
    }

    /// Gives a copy of an element to all subscribers, with a completion token.
    /**
     * As publish(), with a token as for the one that moves.
     *
     * @par Completion signature  `void(error_code, std::size_t)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, std::size_t)> Token =
            boost::asio::deferred_t>
    auto async_publish(const T& element, Token&& token = Token())
    {
        return start(T(element), std::forward<Token>(token));
    }

    /// Gives an element to all subscribers if that is possible without waiting.
    /**
     * @param element  copied for each subscriber, if all have room.
     * @return how many queues took it; nothing if a subscriber has no room, if another publisher
     *         has its turn or waits, or if it is closed.
     * @throws everything that copying the element throws; no subscriber got it.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] std::optional<std::size_t> try_publish(const T& element)
    {
        error_code ignored;
        return core_->try_publish(element, ignored);
    }

    /// Gives an element to all subscribers if that is possible without waiting, and says why not.
    /**
     * As try_publish(const T&).
     *
     * @param element  copied for each subscriber, if all have room.
     * @param error    errc::queue_full if a subscriber has no room, errc::queue_busy if others are
     *                 first, errc::queue_closed; no error if it was published.
     */
    [[nodiscard]] std::optional<std::size_t> try_publish(
        const T& element,
        error_code& error
    )
    {
        return core_->try_publish(element, error);
    }

    /// Accepts nothing more; subscribers get the rest and then the end, or `cause`.
    /**
     * Does nothing after another close(). The destructor closes as at the end, so a publisher that
     * fails has to give the cause.
     *
     * @param cause  null, the default, is none.
     * @par Exception safety  no-throw; never waits.
     * @par Thread safety     any thread.
     */
    void close(std::exception_ptr cause = nullptr) noexcept { core_->close(cause); }

    /// Whether close() has been called.
    [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

    /// How many subscribe at this moment.
    [[nodiscard]] std::size_t subscribers() const noexcept
    {
        return core_->subscribers();
    }

private:
    template <class Token>
    auto start(T element, Token&& token)
    {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            detail::publish_op<T>(core_, std::move(element)),
            token,
            core_->get_executor()
        );
    }

    std::shared_ptr<detail::broadcast_core<T>> core_;
};

}  // namespace sluice
