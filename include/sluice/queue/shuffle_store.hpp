// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/detail/random_numbers.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// The store of shuffle_queue: every stored element is equally likely to leave next.
/**
 * All operations are O(1), `push` amortised. The random sequence is that of
 * `std::mt19937_64`, one draw per element, reduced modulo the size; both are fixed by the
 * C++ standard or by this class, so a seed gives the same order everywhere.
 */
template <class T>
class shuffle_store
{
public:
    /// What the queue is constructed with.
    using options_type = shuffle_queue_options;
    /// What a batch dequeue gives.
    using batch_type = std::vector<T>;
    /// A waiting batch may hold elements, and so exceed the capacity.
    static constexpr bool whole_batches = false;

    /// @throws system_error  errc::invalid_argument, unless min_after_dequeue < capacity, and for
    ///                       drop_oldest.
    explicit shuffle_store(const shuffle_queue_options& options)
        : min_after_dequeue_(options.min_after_dequeue), random_(options.seed)
    {
        if (options.min_after_dequeue >= options.capacity)
            throw system_error(
                errc::invalid_argument,
                "shuffle_queue '" + std::string(options.name) + "': min_after_dequeue (" +
                    std::to_string(options.min_after_dequeue) +
                    ") must be below the capacity (" + std::to_string(options.capacity) +
                    ")"
            );
        if (options.overflow == overflow::drop_oldest)
            throw system_error(
                errc::invalid_argument,
                "shuffle_queue '" + std::string(options.name) +
                    "': drop_oldest needs an order, and here is none; use drop_newest, "
                    "or a "
                    "fifo_queue"
            );
    }

    /// Adds an element. Strong: if it throws, the element is untouched.
    void push(T&& element)
    {
        reserve(size() + 1);
        elements_.push_back(std::move(element));
    }

    /// Adds an element; its next turn is as random as that of any other.
    void put_back(T&& element) { push(std::move(element)); }

    /// Removes an element chosen at random, whose place the last one takes.
    [[nodiscard]] T pop() noexcept
    {
        T* const chosen = &elements_[static_cast<std::size_t>(random_.next() % size())];
        T taken(std::move(*chosen));
        if (chosen != &elements_.back()) {
            std::destroy_at(chosen);  // an element need not be assignable
            std::construct_at(chosen, std::move(elements_.back()));
        }
        elements_.pop_back();
        return taken;
    }

    /// Makes room for `count` elements in all.
    void reserve(std::size_t count)
    {
        if (count > elements_.capacity())
            elements_.reserve(std::max(count, 2 * elements_.capacity()));
    }

    /// Takes all elements out, and leaves room for `room` elements.
    [[nodiscard]] auto clear(std::size_t room)
    {
        decltype(elements_) none;
        none.reserve(room);
        return std::exchange(elements_, std::move(none));
    }

    /// Gives up the memory that is not needed for `room` elements in all. O(size).
    [[nodiscard]] auto shrink_to_fit(std::size_t room)
    {
        decltype(elements_) fitting;
        fitting.reserve(std::max(room, size()));
        if (fitting.capacity() >= elements_.capacity())
            return fitting;
        for (auto& element : elements_)
            fitting.push_back(std::move(element));
        return std::exchange(elements_, std::move(fitting));
    }

    /// The number of elements.
    [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }

    /// How many may leave: all of a closed queue, otherwise those above the minimum.
    [[nodiscard]] std::size_t available(bool closed) const noexcept
    {
        if (closed)
            return size();
        return size() > min_after_dequeue_ ? size() - min_after_dequeue_ : 0;
    }

private:
    std::vector<T> elements_;
    std::size_t min_after_dequeue_;
    detail::random_numbers random_;
};

}  // namespace sluice
