// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/operation.hpp>
#include <sluice/redis/detail/remote_calls.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sluice::redis {

/// An element that this process has on lease, until it is acknowledged or returned.
/**
 * A consumer that dies must not take its element with it. So the server keeps an element until its
 * consumer has acknowledged it, and gives it to another consumer when the lease of the queue has
 * ended. A delivery that is destroyed without an acknowledgement, by an exception for instance,
 * returns its element at once.
 *
 * @par Example
 * @code
 * while (auto job = co_await jobs.next()) {
 *     co_await run(job->value());
 *     co_await job->acknowledge();
 * }
 * @endcode
 *
 * @par Object lifetime  It may outlive its queue. Without the connection its element comes back
 *                       when the lease has ended.
 * @par Thread safety    Distinct objects: safe. Shared objects: unsafe.
 *
 * @tparam T  the elements of the queue.
 */
template <class T>
class delivery
{
    using settle_operation = operation<detail::settle_call, boost::asio::any_io_executor>;

public:
    /// Takes over the element of `other`, which then has none.
    delivery(delivery&& other) noexcept
        : core_(std::move(other.core_)),
          element_(std::move(other.element_)),
          value_(std::move(other.value_))
    {
    }

    /// Returns its own element, and takes over that of `other`.
    delivery& operator=(delivery&& other) noexcept
    {
        if (this != &other) {
            give_back();
            core_ = std::move(other.core_);
            element_ = std::move(other.element_);
            value_ = std::move(other.value_);
        }
        return *this;
    }

    /// Returns the element to the queue, unless it has been settled.
    /**
     * That does not wait: the server is told later, and if it cannot be told the element comes back
     * when the lease has ended.
     */
    ~delivery() { give_back(); }

    /// The element.
    [[nodiscard]] T& value() & noexcept { return value_; }

    /// The element.
    [[nodiscard]] const T& value() const& noexcept { return value_; }

    /// The element, to be moved from.
    [[nodiscard]] T&& value() && noexcept { return std::move(value_); }

    /// How often the element has been delivered, this time included: 1 for the first time.
    [[nodiscard]] std::uint32_t attempt() const noexcept { return element_.attempt; }

    /// What tells the element from all others of its queue, each time it is delivered.
    /**
     * Write it in the transaction that writes the result, and the result is there once: a delivery
     * whose identifier is there already need only be acknowledged. It is the number of the element
     * in the queue and the time of its enqueue by the clock of the server, such as
     * "1767225600000042-1767225600000", so it stays unique when the queue is deleted and made anew,
     * or when the server has lost elements in a crash. It does not tell queues apart, and an
     * element that its producer enqueues twice has two.
     *
     * @return At most 30 characters, in the order of the enqueues.
     * @par Preconditions  is_held().
     */
    [[nodiscard]] std::string id() const
    {
        // of a priority queue the priority follows
        return element_.id.substr(0, element_.id.find(':')) + '-' + element_.enqueued_at;
    }

    /// Whether it has an element that has neither been acknowledged nor returned.
    [[nodiscard]] bool is_held() const noexcept { return core_ != nullptr; }

    /// Says that the work on the element is done: it leaves the queue for good.
    /**
     * The element is settled as soon as this is awaited; a failure or cancellation of the wait does
     * not return it. An acknowledgement that was on its way when the connection was lost is sent
     * again.
     *
     * @return an operation; `co_await` gives nothing.
     * @par Preconditions         is_held().
     * @par Completion signature  `void(error_code)`
     * @par Completion            as if by asio::post on the associated executor.
     * @par Errors
     * @li redis::errc::lease_expired  the lease has ended, and the element was given to another
     *     consumer, or is done or given up already; or the queue was deleted
     * @li sluice::errc::timed_out  the limit passed before the answer came
     * @li asio::error::operation_aborted  cancelled; the acknowledgement is sent nevertheless
     * @li redis::errc  any other: the server or the connection failed
     * @par Cancellation          terminal, partial, total: all supported; they end the wait only.
     * @par Ordering              with those of other deliveries it is sent in one command.
     * @par Object lifetime       `*this` may be destroyed while this waits.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            one round trip; O(log n) in the server.
     */
    settle_operation acknowledge() { return settle(detail::settling::acknowledge); }

    /// Returns the element to its place in the queue, where it can be dequeued at once.
    /**
     * Once it has been delivered as often as the option `max_deliveries` says, it goes to the dead
     * letters instead. As acknowledge().
     */
    settle_operation requeue() { return settle(detail::settling::requeue); }

    /// Begins the lease anew, for work that takes longer.
    /**
     * As acknowledge(), but the element stays held. With errc::lease_expired it is lost already;
     * stop the work on it.
     */
    settle_operation extend()
    {
        const auto& executor = core_->executor();
        return {{detail::settling::extend, core_, {leased()}}, executor};
    }

    /// @cond
    // For queues. If the value cannot be made, the element is returned.
    template <class Decode>
    delivery(
        detail::remote_state_ptr core,
        detail::leased_element&& element,
        Decode&& decode
    )
        : core_(std::move(core)), element_(std::move(element)), value_(decoded(decode))
    {
        element_.bytes = {};
    }

    [[nodiscard]] detail::leased_element release() noexcept
    {
        core_ = nullptr;
        return std::move(element_);
    }

    // Returns it as one that no consumer has seen, so that this delivery does not count.
    void forget() noexcept { give_back(detail::settling::forget); }

    [[nodiscard]] detail::leased_element leased() const
    {
        return {
            element_.id,
            element_.attempt,
            {},
            element_.enqueued_at,
            element_.connection
        };
    }

    [[nodiscard]] const detail::remote_state_ptr& core() const noexcept { return core_; }
    /// @endcond

private:
    template <class Decode>
    T decoded(Decode& decode)
    {
        try {
            return decode(element_.bytes);
        } catch (...) {
            give_back();
            throw;
        }
    }

    settle_operation settle(detail::settling what)
    {
        auto core = std::move(core_);
        const auto& executor = core->executor();
        std::vector<detail::leased_element> elements;
        elements.push_back(std::move(element_));
        return {{what, std::move(core), std::move(elements)}, executor};
    }

    void give_back(detail::settling how = detail::settling::requeue) noexcept
    {
        const auto core = std::move(core_);
        if (core == nullptr)
            return;
        try {
            std::vector<detail::leased_element> elements;
            elements.push_back(std::move(element_));
            core->settle(how, std::move(elements));
        } catch (...) {
            // without memory: when the lease has ended
        }
    }

    detail::remote_state_ptr core_;  // null: nothing is held
    detail::leased_element element_;
    T value_;
};

}  // namespace sluice::redis
