// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>

#include <exception>
#include <utility>

namespace sluice {

/// Counts as one producer of a queue; the last one to go closes it.
/**
 * Where several producers share a queue, none of them knows whether it is the last, and the
 * first to close the queue would cut off the others. Let each have a feeder instead. A
 * queue_runner is one by itself, so runners and feeders may share a queue.
 *
 * @par Example
 * @code
 * asio::awaitable<void> produce(sluice::fifo_queue<int>& numbers, sluice::feeder feeding)
 * {
 *     for (int i = 0; i < 100; ++i)
 *         co_await numbers.enqueue(i);
 * }  // the last of them to get here closes the queue
 *
 * {
 *     const sluice::feeder feeding{numbers};  // until all have been started
 *     for (int i = 0; i < 4; ++i)
 *         coord.spawn("producer", produce(numbers, feeding));
 * }
 * @endcode
 *
 * @par Closing          the last feeder to go closes the queue with close_mode::drain. Closing it
 *                       before, for instance by a coordinator, is not affected: enqueues fail
 *                       with errc::queue_closed. A feeder does not open a closed queue. Its
 *                       destructor does not know of a failure: fail() passes one on.
 * @par Object lifetime  the queue may be destroyed first.
 * @par Thread safety    distinct objects: safe, also if they feed the same queue. Shared objects:
 *                       unsafe.
 */
class feeder
{
public:
    /// Feeds nothing.
    feeder() noexcept = default;

    /// One more who feeds `queue`.
    template <detail::closable_queue Queue>
    explicit feeder(Queue& queue) noexcept
        : feeder(detail::closable_ptr(&detail::queue_access::core(queue)))
    {
    }

    /// One more who feeds the same queue.
    feeder(const feeder& other) noexcept : feeder(other.queue_) {}

    /// Takes the place of `other`, which then feeds nothing.
    feeder(feeder&& other) noexcept : queue_(std::move(other.queue_)) {}

    /// Ends feeding as the destructor does, then as the constructors.
    feeder& operator=(feeder other) noexcept
    {
        std::swap(queue_, other.queue_);
        return *this;
    }

    /// As end().
    ~feeder() { end(); }

    /// Feeds no more; if no one else does, closes the queue. A second call does nothing.
    void end() noexcept
    {
        if (const detail::closable_ptr queue = std::move(queue_))
            queue->remove_feeder(nullptr);
    }

    /// Closes the queue at once, also if others feed it, as `close(cause)` of the queue does.
    /**
     * @param cause  what consumers get after the elements that are stored.
     * @par Exception safety  no-throw; never waits.
     */
    void fail(std::exception_ptr cause) noexcept
    {
        if (const detail::closable_ptr queue = std::move(queue_)) {
            queue->close_with(cause);
            queue->remove_feeder(std::move(cause));
        }
    }

    /// Whether it feeds a queue.
    [[nodiscard]] explicit operator bool() const noexcept { return queue_ != nullptr; }

private:
    friend class queue_runner;

    explicit feeder(detail::closable_ptr queue) noexcept : queue_(std::move(queue))
    {
        if (queue_)
            queue_->add_feeder();
    }

    detail::closable_ptr queue_;
};

}  // namespace sluice
