// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// A comparison for the elements of a priority_queue: says whether the first leaves before the
/// second. `std::less<>`, the default, needs a `<` of the elements.
template <class Compare, class T>
concept comparison_of = std::predicate<const Compare&, const T&, const T&>;

/// The store of priority_queue: the smallest element first, first come, first served among
/// equals.
/**
 * A binary heap ordered by (element, arrival): `push`, `pop` and `put_back` are O(log n).
 * An element that is returned counts as having arrived before its equals. If a comparison
 * throws, no element is lost.
 */
template <class T, class Compare>
class priority_store
{
public:
    /// What the queue is constructed with.
    using options_type = queue_options;
    /// What a batch dequeue gives.
    using batch_type = std::vector<T>;
    /// The elements of a batch leave at one time, so that the batch is sorted.
    static constexpr bool whole_batches = true;

    /// @throws system_error  errc::invalid_argument for a capacity of 0 and for drop_oldest.
    explicit priority_store(const queue_options& options)
    {
        // Here, because Clang follows one in the class with a hundred lines of consequences.
        static_assert(
            comparison_of<Compare, T>,
            "a priority_queue compares its elements: give them an operator<, or name a "
            "comparison as the second argument"
        );
        if (options.capacity == 0)
            throw system_error(
                errc::invalid_argument,
                "priority_queue '" + std::string(options.name) +
                    "': the capacity must be at least 1; a rendezvous has no order, "
                    "use a fifo_queue"
            );
        if (options.overflow == overflow::drop_oldest)
            throw system_error(
                errc::invalid_argument,
                "priority_queue '" + std::string(options.name) +
                    "': drop_oldest would drop the element that matters most; use "
                    "drop_newest, or a fifo_queue"
            );
    }

    /// Adds an element behind its equals. Strong: if it throws, the element is untouched.
    void push(T&& element)
    {
        const std::int64_t arrival = ++last_arrival_;
        const std::size_t place = place_for(element, arrival);
        insert(std::move(element), arrival, place);
    }

    /// Adds an element in front of its equals; in front of all if a comparison throws.
    void put_back(T&& element)
    {
        const std::int64_t arrival = --first_arrival_;
        std::size_t place = 0;
        try {
            place = place_for(element, arrival);
        } catch (...) {  // it was the first when it left, and must not be lost now
        }
        insert(std::move(element), arrival, place);
    }

    /// Removes the smallest element. If a comparison throws, nothing has changed.
    [[nodiscard]] T pop()
    {
        const std::size_t place = place_for_last();
        T first(std::move(heap_.front().element));
        for (std::size_t up = depth(place); up > 0; --up)
            replace(ancestor(place, up), heap_[ancestor(place, up - 1)]);
        if (size() > 1)
            replace(place, heap_.back());
        heap_.pop_back();
        return first;
    }

    /// Makes room for `count` elements in all.
    void reserve(std::size_t count)
    {
        if (count > heap_.capacity())
            heap_.reserve(std::max(count, 2 * heap_.capacity()));
    }

    /// Takes all elements out, and leaves room for `room` elements.
    [[nodiscard]] auto clear(std::size_t room)
    {
        decltype(heap_) none;
        none.reserve(room);
        return std::exchange(heap_, std::move(none));
    }

    /// Gives up the memory that is not needed for `room` elements in all. O(size).
    [[nodiscard]] auto shrink_to_fit(std::size_t room)
    {
        decltype(heap_) fitting;
        fitting.reserve(std::max(room, size()));
        if (fitting.capacity() >= heap_.capacity())
            return fitting;
        for (auto& element : heap_)
            fitting.push_back(std::move(element));
        return std::exchange(heap_, std::move(fitting));
    }

    /// The number of elements.
    [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

    /// How many may leave: all.
    [[nodiscard]] std::size_t available(bool /*closed*/) const noexcept { return size(); }

private:
    struct entry
    {
        T element;
        std::int64_t arrival;
    };

    // A heap in a vector: the entry at 0 leaves first, and none leaves before its parent. All
    // comparisons are made before anything is moved, because they may throw.

    [[nodiscard]] static std::size_t ancestor(std::size_t place, std::size_t up) noexcept
    {
        return ((place + 1) >> up) - 1;
    }

    [[nodiscard]] static std::size_t parent(std::size_t place) noexcept
    {
        return ancestor(place, 1);
    }

    [[nodiscard]] static std::size_t depth(std::size_t place) noexcept
    {
        return static_cast<std::size_t>(std::bit_width(place + 1)) - 1;
    }

    // Of elements that cannot be compared only the constructor complains.
    [[nodiscard]] bool is_smaller(const T& a, const T& b) const
    {
        if constexpr (comparison_of<Compare, T>)
            return smaller_(a, b);
        else
            return false;
    }

    // Whether `a` leaves after `b`, which came at `b_arrival`.
    [[nodiscard]] bool leaves_later(const entry& a, const T& b, std::int64_t b_arrival)
        const
    {
        if (is_smaller(b, a.element))
            return true;
        if (is_smaller(a.element, b))
            return false;
        return b_arrival < a.arrival;
    }

    [[nodiscard]] bool leaves_later(const entry& a, const entry& b) const
    {
        return leaves_later(a, b.element, b.arrival);
    }

    // Where a new entry belongs, once those above it have moved down.
    [[nodiscard]] std::size_t place_for(const T& element, std::int64_t arrival) const
    {
        std::size_t place = size();
        while (place > 0 && leaves_later(heap_[parent(place)], element, arrival))
            place = parent(place);
        return place;
    }

    // Where the last entry belongs, once the first has left and those on the way have moved
    // up. It is likely to belong far down, so the way is first followed to its end.
    [[nodiscard]] std::size_t place_for_last() const
    {
        const std::size_t last = size() - 1;
        std::size_t place = 0;
        std::size_t child = 1;
        for (; child + 1 < last; child = 2 * place + 1)
            place = leaves_later(heap_[child], heap_[child + 1]) ? child + 1 : child;
        if (child < last)
            place = child;  // an only child
        while (place > 0 && leaves_later(heap_[place], heap_[last]))
            place = parent(place);
        return place;
    }

    // Moves an entry to a place whose own has left; an element need not be assignable.
    void replace(std::size_t place, entry& moved) noexcept
    {
        if (&heap_[place] == &moved)
            return;
        std::destroy_at(&heap_[place]);
        std::construct_at(&heap_[place], std::move(moved));
    }

    void insert(T&& element, std::int64_t arrival, std::size_t place)
    {
        reserve(size() + 1);
        heap_.push_back(entry{std::move(element), arrival});
        entry added = std::move(heap_.back());
        for (std::size_t at = size() - 1; at != place; at = parent(at))
            replace(at, heap_[parent(at)]);
        replace(place, added);
    }

    std::vector<entry> heap_;
    Compare smaller_;
    std::int64_t last_arrival_ = 0;
    std::int64_t first_arrival_ = 0;
};

}  // namespace sluice
