// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/ring.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sluice {

/// The store of fifo_queue: first in, first out.
/**
 * All operations on one element are O(1): above 256 elements memory grows by one block at a time,
 * and no element moves. It is kept, so that a queue in steady state allocates nothing, until
 * shrink_to_fit() or clear().
 */
template <class T>
class fifo_store
{
public:
    /// What the queue is constructed with.
    using options_type = queue_options;
    /// What a batch dequeue gives.
    using batch_type = std::vector<T>;
    /// A waiting batch may hold elements, and so exceed the capacity.
    static constexpr bool whole_batches = false;

    /// Makes an empty store; every capacity will do.
    explicit fifo_store(const queue_options& /*options*/) {}

    /// Adds an element at the back. Strong: if it throws, the element is untouched.
    [[gnu::always_inline]] void push(T&& element)
    {
        elements_.push_back(std::move(element));
    }

    /// Adds an element at the front.
    void put_back(T&& element) { elements_.push_front(std::move(element)); }

    /// Removes the element at the front.
    [[nodiscard, gnu::always_inline]] T pop() noexcept { return elements_.take_front(); }

    /// Adds elements at the back, for which room was made.
    void push_many(std::span<T> elements) noexcept { elements_.append(elements); }

    /// Removes `count` elements from the front to the back of `batch`, which has the capacity.
    void pop_many(std::vector<T>& batch, std::size_t count) noexcept
    {
        elements_.take_front(count, [&batch](T&& element) {
            batch.push_back(std::move(element));
        });
    }

    /// Makes room for `count` elements in all.
    void reserve(std::size_t count) { elements_.reserve(count); }

    /// Takes all elements out, and leaves room for `room` elements. O(1) without room.
    [[nodiscard]] auto clear(std::size_t room)
    {
        detail::ring<T> none;
        none.reserve(room);
        return std::exchange(elements_, std::move(none));
    }

    /// Gives up the memory that is not needed for `room` elements in all. O(1): up to 256 elements
    /// move.
    [[nodiscard]] auto shrink_to_fit(std::size_t room)
    {
        return elements_.shrink_to_fit(room);
    }

    /// The number of elements.
    [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }

    /// How many may leave: all.
    [[nodiscard]] std::size_t available(bool /*closed*/) const noexcept { return size(); }

private:
    detail::ring<T> elements_;
};

}  // namespace sluice
