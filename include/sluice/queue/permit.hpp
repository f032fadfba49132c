// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/error.hpp>

#include <concepts>
#include <utility>

namespace sluice {

namespace detail {

struct permit_access;

}  // namespace detail

/// A place in a queue, kept for one element.
/**
 * A stage that dequeues, computes and enqueues has the element in hand when a stop comes, and
 * nowhere to put it: the enqueue is cancelled, and the element is gone. A stage that has reserved
 * a place first needs no wait after the dequeue, so nothing can come in between. As Tokio's
 * permits.
 *
 * @par Example
 * @code
 * asio::awaitable<void> stage(sluice::fifo_queue<int>& in, sluice::fifo_queue<int>& out)
 * {
 *     auto place = co_await out.reserve();
 *     place.fill(twice(co_await in.dequeue()));
 * }
 * @endcode
 *
 * @par Closing          a permit counts as an enqueue that may still come: a queue that is closed,
 *                       in whatever way, accepts the element, and its consumers are told of the
 *                       end after the last permit is filled or dropped.
 * @par Object lifetime  the queue may be destroyed first; filling does nothing then.
 * @par Thread safety    distinct objects: safe. Shared objects: unsafe.
 *
 * @tparam T  the elements of the queue.
 */
template <class T>
class permit
{
public:
    /// Has no place.
    permit() noexcept = default;

    /// Takes the place of `other`, which then has none.
    permit(permit&& other) noexcept
        : queue_(std::move(other.queue_)), end_place_(other.end_place_)
    {
    }

    /// Returns its place and takes that of `other`.
    permit& operator=(permit&& other) noexcept
    {
        permit taken(std::move(other));
        queue_.swap(taken.queue_);
        std::swap(end_place_, taken.end_place_);
        return *this;
    }

    /// As drop().
    ~permit() { drop(); }

    /// Puts the element into its place, which is the end of the permit.
    /**
     * Never waits and takes no memory.
     *
     * @param element  moved from, unless the queue is destroyed.
     * @throws system_error   errc::invalid_argument if it has no place, for instance because it
     *                        has been filled already.
     * @par Exception safety  strong; else only a comparison of elements can throw.
     */
    void fill(T&& element)
    {
        if (queue_ == nullptr)
            throw system_error(
                errc::invalid_argument,
                "permit::fill: it has no place, or has been filled; reserve another one"
            );
        end_place_(*queue_, &element);
        queue_.reset();
    }

    /// Puts a copy of the element into its place; if copying throws nothing has changed.
    void fill(const T& element)
        requires std::copy_constructible<T>
    {
        fill(T(element));
    }

    /// Returns the place, if there is one, to the queue.
    void drop() noexcept
    {
        if (const auto queue = std::move(queue_))
            end_place_(*queue, nullptr);
    }

    /// Whether it has a place.
    [[nodiscard]] explicit operator bool() const noexcept { return queue_ != nullptr; }

private:
    friend struct detail::permit_access;

    // Puts an element into the place, or frees it. As the queue is of any order.
    using end_place = void (*)(detail::closable& queue, T* element);

    permit(detail::closable_ptr queue, end_place end) noexcept
        : queue_(std::move(queue)), end_place_(end)
    {
    }

    detail::closable_ptr queue_;  // null: no place
    end_place end_place_ = nullptr;
};

}  // namespace sluice
