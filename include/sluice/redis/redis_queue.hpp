// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/operation.hpp>
#include <sluice/redis/codec.hpp>
#include <sluice/redis/delivery.hpp>
#include <sluice/redis/detail/queue_on_server.hpp>
#include <sluice/redis/detail/remote_calls.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue_options.hpp>
#include <sluice/redis/remote_source.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::redis {

/// A bounded queue on a Redis server, which processes and machines share.
/**
 * Where a program outgrows one process, the queue between two of its parts moves to a server, and
 * the parts stay as they are. The capacity is exact over all processes; a producer waits while the
 * queue is full, a consumer while it is empty, and neither a thread nor a command of the server
 * waits with them. Elements are delivered at least once: an element stays on the server until its
 * consumer has acknowledged it. docs/guide/redis.md says what is promised and what is not.
 *
 * @par Example
 * @code
 * sluice::redis::connection redis{pool, "redis://localhost"};
 * sluice::redis::queue<job> jobs{redis, {.name = "jobs", .capacity = 10'000}};
 * const job first{1, "a.txt"};  // named: GCC before 13 refuses a temporary aggregate
 * co_await jobs.enqueue(first);
 * while (auto next = co_await jobs.next()) {
 *     co_await run(next->value());
 *     co_await next->acknowledge();
 * }
 * @endcode
 *
 * @par Ordering         as the kind of the queue says. An element that comes back has its old place
 *                       again, and so leaves after some that came later. Operations of this process
 *                       are served in the order of their initiation; between processes the order
 *                       in which they ask counts.
 * @par Closing          close() closes the queue for all processes. Consumers then see its end when
 *                       every element has been acknowledged, or has gone to the dead letters. A
 *                       queue_runner that feeds it closes it in the same way; if it is stopped, or
 *                       fails, it ends the operations of this process only.
 * @par Outages          an operation waits while the server is out of reach, and goes on with the
 *                       next connection. An enqueue that is repeated is added once. With
 *                       queue_options::producer so is one of a process that was killed; see
 *                       position().
 * @par Object lifetime  its destructor ends the operations that wait, with errc::queue_closed for
 *                       enqueues and asio::error::operation_aborted for others. The queue on the
 *                       server stays as it is.
 * @par Thread safety    Distinct objects: safe. Shared objects: safe, but for the destructor.
 *
 * @tparam T      the elements; can be moved.
 * @tparam Codec  how elements become bytes; see codec.
 */
template <class T, class Codec = codec<T>>
class queue
{
    friend struct sluice::detail::queue_access;

    using state = detail::remote_state;
    template <class Waiter>
    using call = operation<Waiter, boost::asio::any_io_executor>;
    using one = detail::dequeue_call<delivery<T>, Codec>;
    using next_one = detail::next_call<delivery<T>, Codec>;
    using demand = sluice::detail::demand;
    template <demand Kind>
    using batch = detail::batch_call<delivery<T>, Codec, Kind>;
    using try_one = detail::attempt_of<one>;
    using try_batch = detail::attempt_of<batch<demand::some>>;

public:
    /// The type of the elements.
    using value_type = T;

    /// The type of the executor for completions that have none of their own.
    using executor_type = boost::asio::any_io_executor;

    /// What a priority queue orders its elements by: the smallest leaves first.
    using priority_function = std::function<std::int64_t(const T&)>;

    /// Opens the queue, which is created if it is not on the server yet.
    /**
     * That the server does not take part, or has the queue with other options, is an error of
     * operations.
     *
     * @param server    must live as long as the queue is used.
     * @param options   what the queue is.
     * @param priority  of an element, from -2^53 to 2^53; for queue_kind::priority, and only there.
     *                  Called in enqueue() and enqueue_many().
     * @throws system_error   errc::invalid_argument if an option is outside its range.
     * @par Exception safety  strong.
     */
    queue(connection& server, queue_options options, priority_function priority = {})
        : server_(server.client()),
          priority_(std::move(priority)),
          core_(detail::open_queue(
              server_,
              server.get_executor(),
              options,
              static_cast<bool>(priority_)
          ))
    {
    }

    /// Takes over another one, which can then only be destroyed.
    queue(queue&&) noexcept = default;
    queue& operator=(queue&&) = delete;

    /// Ends what waits.
    ~queue()
    {
        if (core_ != nullptr)
            detail::leave_queue(server_, *core_);
    }

    /// Where completions run that have no executor of their own: the executor of the connection.
    [[nodiscard]] const executor_type& get_executor() const noexcept
    {
        return core_->executor();
    }

    /// The name of the queue.
    [[nodiscard]] const std::string& name() const noexcept { return core_->name(); }

    /// How many elements there are at most over all processes.
    [[nodiscard]] std::size_t capacity() const noexcept { return core_->capacity(); }

    /// Whether this process knows that the queue is closed, or has left it.
    /**
     * That another process has closed it is known after the next operation that meets it.
     */
    [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

    /// Brings in one element if there is room for it now: one question to the server.
    /**
     * An attempt is an operation, too, because the answer is not here: `co_await
     * jobs.try_enqueue(v)`. It never waits for room. As any operation it waits while the server is
     * out of reach; limit that with `within`.
     *
     * @param value  the element; encoded at once.
     * @return an operation; `co_await` gives whether the element went in. `as_tuple` also says why
     *         not. Not a branch for select().
     * @throws anything that encoding or the priority throws.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, bool)`
     * @par Completion            as if by asio::post on the associated executor.
     * @par Errors
     * @li sluice::errc::queue_full  there was no room
     * @li sluice::errc::queue_busy  other enqueues of this process wait, and come first
     * @li sluice::errc::queue_closed  the queue is closed; these three throw nothing, and
     *     give false
     * @li others  as enqueue()
     * @par Cancellation          as enqueue().
     * @par Ordering              behind all enqueues of this process that were started before.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            as enqueue().
     */
    call<detail::try_enqueue_call> try_enqueue(const T& value)
    {
        std::vector<detail::record> records;
        records.push_back(record_of(value));
        return {{core_.get(), std::move(records)}, get_executor()};
    }

    /// The same for a temporary, as enqueue(T&&).
    call<detail::try_enqueue_call> try_enqueue(T&& value)
    {
        static_assert(sluice::detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return try_enqueue(std::as_const(value));
    }

    /// Brings in several elements if there is room for all of them now.
    /**
     * All or none, other than with a queue of this process. Otherwise as try_enqueue().
     *
     * @param values  a range of elements, not more than the capacity, or else
     *                errc::invalid_argument.
     * @return as try_enqueue().
     */
    template <std::ranges::input_range Values>
        requires std::convertible_to<std::ranges::range_reference_t<Values>, const T&>
    call<detail::try_enqueue_call> try_enqueue_many(Values&& values)
    {
        static_assert(sluice::detail::destroyed_once<Values>, SLUICE_DESTROYED_TWICE);
        return {{core_.get(), records_of(values)}, get_executor()};
    }

    /// Takes one element if there is one now: one question to the server.
    /**
     * An attempt is an operation, too, because the answer is not here. It never waits for an
     * element. As any operation it waits while the server is out of reach; limit that with
     * `within`.
     *
     * @return an operation; `co_await` gives a `std::optional<delivery<T>>`, empty if there was
     *         none to have. `as_tuple` also says why.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<delivery<T>>)`
     * @par Completion            as if by asio::post on the associated executor.
     * @par Errors
     * @li sluice::errc::queue_empty  no element may be dequeued now
     * @li sluice::errc::queue_busy  other dequeues of this process wait, and come first
     * @li sluice::errc::end_of_queue  closed, and no element is left; these three throw nothing,
     *     and give an empty optional
     * @li others  as dequeue()
     * @par Cancellation          terminal, partial, total: all supported; no element is taken.
     * @par Ordering              behind all dequeues of this process that were started before.
     * @par Object lifetime       `*this` may be destroyed while this waits: operation_aborted.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            as dequeue().
     */
    call<try_one> try_dequeue() { return {{core_.get()}, get_executor()}; }

    /// Takes as many elements as there are now, at most `max`.
    /**
     * Otherwise as try_dequeue().
     *
     * @param max  how many at most.
     * @return an operation; `co_await` gives a `std::vector<delivery<T>>`, empty if there was none
     *         to have.
     */
    call<try_batch> try_dequeue_many(std::size_t max)
    {
        return {{core_.get(), max}, get_executor()};
    }

    /// Brings in one element, waiting until there is room.
    /**
     * The element is encoded at once, so it need not live until the operation completes.
     *
     * @param value  the element.
     * @return an operation; `co_await` gives nothing. Not a branch for select().
     * @throws anything that encoding or the priority throws.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            as if by asio::post on the associated executor, when the element
     *                            is in the queue.
     * @par Errors
     * @li sluice::errc::queue_closed  the queue is closed
     * @li sluice::errc::timed_out  the limit passed; the element is not in the queue
     * @li asio::error::operation_aborted  cancelled; the element is not in the queue, unless the
     *     connection was lost at that moment: then it is not known
     * @li redis::errc::producer_fenced  another process has taken the name of this producer, or
     *     the server has lost elements of it. The element is not in the queue, unless the
     *     connection was lost before that
     * @li redis::errc  the server or the connection failed
     * @par Cancellation          terminal, partial, total: all supported, total only before the
     *                            element was sent. If it has been sent, the answer of the server
     *                            decides, and is waited for.
     * @par Ordering              behind all enqueues that wait in this process.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            one round trip, which those that wait share; O(log n) in the
     *                            server.
     */
    call<detail::enqueue_call> enqueue(const T& value)
    {
        std::vector<detail::record> records;
        records.push_back(record_of(value));
        return {{core_.get(), std::move(records)}, get_executor()};
    }

    /// The same for a temporary; GCC before 13 refuses one that it would destroy twice, as for
    /// basic_queue::enqueue().
    call<detail::enqueue_call> enqueue(T&& value)
    {
        static_assert(sluice::detail::destroyed_once<T>, SLUICE_DESTROYED_TWICE);
        return enqueue(std::as_const(value));
    }

    /// Brings in several elements, waiting until there is room for all of them.
    /**
     * They come in at one moment, or none of them does. Otherwise as enqueue().
     *
     * @param values  a range of elements, not more than the capacity, or else
     *                errc::invalid_argument.
     * @return as enqueue().
     */
    template <std::ranges::input_range Values>
        requires std::convertible_to<std::ranges::range_reference_t<Values>, const T&>
    call<detail::enqueue_call> enqueue_many(Values&& values)
    {
        static_assert(sluice::detail::destroyed_once<Values>, SLUICE_DESTROYED_TWICE);
        return {{core_.get(), records_of(values)}, get_executor()};
    }

    /// Takes one element, waiting until there is one.
    /**
     * Also a branch for select(). An element that arrives for an operation that has ended returns
     * to the server and does not count as delivered.
     *
     * @return an operation; `co_await` gives a delivery<T>.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::optional<delivery<T>>)`
     * @par Completion            as if by asio::post on the associated executor.
     * @par Errors
     * @li sluice::errc::end_of_queue  closed, and no element is left, waiting or leased
     * @li sluice::errc::timed_out  the limit passed; no element was taken
     * @li asio::error::operation_aborted  cancelled; no element was taken
     * @li redis::errc  the server or the connection failed
     * @li what decoding throws, as a code errc::element_failed; the element went back
     * @par Cancellation          terminal, partial, total: all supported; no element is taken.
     * @par Ordering              behind all dequeues that wait in this process.
     * @par Object lifetime       `*this` may be destroyed while this waits: operation_aborted.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            one round trip, which those that wait share; O(log n) in the
     *                            server.
     */
    call<one> dequeue() { return {{core_.get()}, get_executor()}; }

    /// Takes one element, or learns of the end of the queue: `while (auto d = co_await q.next())`.
    /**
     * As dequeue(), but the end of the queue is no error: the result is empty.
     *
     * @return an operation; `co_await` gives a `std::optional<delivery<T>>`.
     */
    call<next_one> next() { return {{core_.get()}, get_executor()}; }

    /// Takes exactly `count` elements, waiting until that many can be taken at one moment.
    /**
     * Otherwise as dequeue(). A queue that is closed and has fewer gives errc::end_of_queue, and
     * keeps what it has. More than the capacity is errc::invalid_argument.
     *
     * @param count  how many.
     * @return an operation; `co_await` gives a `std::vector<delivery<T>>`.
     */
    call<batch<demand::exactly>> dequeue_many(std::size_t count)
    {
        return {{core_.get(), count}, get_executor()};
    }

    /// Takes `count` elements, or fewer once the queue is closed.
    /**
     * Otherwise as dequeue(). `.linger(duration)` takes what is there that long after the first
     * element came; meanwhile the lease of those that came runs.
     *
     * @param count  how many at most.
     * @return an operation; `co_await` gives a `std::vector<delivery<T>>`, not empty.
     */
    call<batch<demand::up_to>> dequeue_up_to(std::size_t count)
    {
        return {{core_.get(), count}, get_executor()};
    }

    /// Takes what is there, at least one element and at most `count`.
    /**
     * Otherwise as dequeue().
     *
     * @param count  how many at most.
     * @return an operation; `co_await` gives a `std::vector<delivery<T>>`, not empty.
     */
    call<batch<demand::some>> dequeue_some(std::size_t count)
    {
        return {{core_.get(), count}, get_executor()};
    }

    /// Acknowledges several deliveries of this queue, in one round trip.
    /**
     * As delivery::acknowledge(). With redis::errc::lease_expired at least one of them was lost;
     * the others are done.
     *
     * @param deliveries  those that are held; of this queue.
     * @return an operation; `co_await` gives nothing.
     * @throws system_error  errc::invalid_argument if one is of another queue.
     */
    call<detail::settle_call> acknowledge(std::span<delivery<T>> deliveries)
    {
        std::vector<detail::leased_element> elements;
        elements.reserve(deliveries.size());
        for (const delivery<T>& each : deliveries)
            detail::check_owner(each.core(), *core_);
        for (delivery<T>& each : deliveries)
            if (each.is_held())
                elements.push_back(each.release());
        return {
            {detail::settling::acknowledge, core_, std::move(elements)},
            get_executor()
        };
    }

    /// Begins the leases of several deliveries of this queue anew, in one round trip.
    /**
     * As delivery::extend(). With redis::errc::lease_expired at least one of them was lost.
     *
     * @param deliveries  those that are held; of this queue.
     * @return an operation; `co_await` gives nothing.
     * @throws system_error  errc::invalid_argument if one is of another queue.
     */
    call<detail::settle_call> extend(std::span<const delivery<T>> deliveries)
    {
        std::vector<detail::leased_element> elements;
        elements.reserve(deliveries.size());
        for (const delivery<T>& each : deliveries)
            detail::check_owner(each.core(), *core_);
        for (const delivery<T>& each : deliveries)
            if (each.is_held())
                elements.push_back(each.leased());
        return {{detail::settling::extend, core_, std::move(elements)}, get_executor()};
    }

    /// Closes the queue for all processes.
    /**
     * Enqueues that wait in this process finish first; those of other processes fail with
     * errc::queue_closed.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code)`
     * @par Completion            as if by asio::post on the associated executor, when the server
     *                            has closed it.
     * @par Errors
     * @li sluice::errc::timed_out  the limit passed before the answer came
     * @li asio::error::operation_aborted  cancelled; the queue is closed nevertheless
     * @li redis::errc::producer_fenced  as enqueue(); the queue stays open
     * @li redis::errc  the server or the connection failed
     * @par Cancellation          terminal, partial, total: all supported; they end the wait only.
     * @par Ordering              behind the enqueues that wait in this process.
     * @par Object lifetime       `*this` may be destroyed while this waits: operation_aborted.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     */
    call<detail::close_call> close() { return {{core_.get()}, get_executor()}; }

    /// Waits until the server knows all that this process had to tell it of this queue.
    /**
     * A delivery that is destroyed returns its element, and a queue_runner closes its queue,
     * without waiting for the server. Before the connection is destroyed, await this.
     *
     * @return an operation; `co_await` gives nothing. As close().
     */
    call<detail::flush_call> flush() { return {{core_.get()}, get_executor()}; }

    /// Asks the server how many elements there are: those that wait, and those that consumers have.
    /**
     * Takes the server less time than anything else of a queue: O(1), one small command. It is 0
     * if the queue has been deleted.
     *
     * @return an operation; `co_await` gives a `std::size_t`. Errors and cancellation as close().
     */
    call<detail::size_call> size() { return {{core_.get()}, get_executor()}; }

    /// Asks the server how the queue is.
    /**
     * @return an operation; `co_await` gives a queue_status. Errors and cancellation as close().
     */
    call<detail::status_call> status() { return {{core_.get()}, get_executor()}; }

    /// Asks how many elements have come in under the name of this producer, in all its lives.
    /**
     * For a process that may be killed, and gives its elements in the same order each time: it goes
     * on behind those that have come in already. What a process before this one, or this one on
     * an earlier connection, has sent and the server has not read yet is refused. So the number is
     * final until this process enqueues.
     * It begins at 0 with the queue.
     *
     * @return an operation; `co_await` gives a `std::uint64_t`.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, std::uint64_t)`
     * @par Completion            as if by asio::post on the associated executor.
     * @par Errors
     * @li sluice::errc::invalid_argument  the queue was opened without `queue_options::producer`
     * @li redis::errc::producer_fenced  as enqueue()
     * @li others  as close()
     * @par Cancellation          terminal, partial, total: all supported; they end the wait only.
     * @par Ordering              none: enqueues that wait may be counted or not.
     * @par Object lifetime       `*this` may be destroyed while this waits: operation_aborted.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     */
    call<detail::position_call> position() { return {{core_.get()}, get_executor()}; }

    /// What a monitor looks at, so that `watch.add(jobs)` is all it takes.
    /**
     * The first look has the server asked, and a later one shows what it said.
     *
     * @param interval  how old an answer may be before a look has the server asked again.
     * @return a new one at each call; it may outlive the queue.
     * @par Exception safety  strong.
     */
    [[nodiscard]] std::shared_ptr<remote_source> source(
        std::chrono::nanoseconds interval = remote_source::default_interval
    ) const
    {
        return std::make_shared<remote_source>(core_, server_, interval);
    }

    /// The elements that were delivered too often, as a queue of their own.
    /**
     * A fifo queue that is never full and never closed, on the same connection: dequeue them,
     * look at them, acknowledge them or enqueue them again here. Nothing in it is given up.
     */
    [[nodiscard]] queue dead_letters() const
    {
        return queue(server_, detail::open_dead_letters(server_, *core_));
    }

private:
    queue(std::weak_ptr<detail::client> server, detail::remote_state_ptr core)
        : server_(std::move(server)), core_(std::move(core))
    {
    }

    detail::record record_of(const T& value) const
    {
        return {Codec::encode(value), priority_ ? priority_(value) : 0};
    }

    template <class Values>
    std::vector<detail::record> records_of(Values& values) const
    {
        std::vector<detail::record> records;
        for (const T& value : values)
            records.push_back(record_of(value));
        return records;
    }

    std::weak_ptr<detail::client> server_;
    priority_function priority_;
    detail::remote_state_ptr core_;  // null: moved from
};

}  // namespace sluice::redis
