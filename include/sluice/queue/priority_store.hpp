// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/detail/stored.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// The store of priority_queue: the smallest element first, first come, first served among
/// equals.
/**
 * A binary heap ordered by (element, arrival): `push`, `pop` and `put_back` are O(log n).
 * An element that is put back counts as having arrived before its equals.
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

    /// @throws system_error  errc::invalid_argument for a capacity of 0.
    explicit priority_store(const queue_options& options)
    {
        if (options.capacity == 0)
            throw system_error(
                errc::invalid_argument,
                "priority_queue '" + options.name +
                    "': the capacity must be at least 1; a rendezvous has no order, use a "
                    "fifo_queue"
            );
    }

    /// Adds an element behind its equals.
    void push(T&& element) { insert(std::move(element), ++last_arrival_); }

    /// Adds an element in front of its equals.
    void put_back(T&& element) { insert(std::move(element), --first_arrival_); }

    /// Removes the smallest element.
    [[nodiscard]] T pop()
    {
        std::pop_heap(heap_.begin(), heap_.end(), later_);
        struct slot_guard
        {
            std::vector<entry>& heap;
            ~slot_guard() { heap.pop_back(); }
        } guard{heap_};
        return std::move(heap_.back().element.get());
    }

    /// Makes room for `count` elements in all.
    void reserve(std::size_t count)
    {
        if (count > heap_.capacity())
            heap_.reserve(std::max(count, 2 * heap_.capacity()));
    }

    /// The number of elements.
    [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

    /// How many may leave: all.
    [[nodiscard]] std::size_t available(bool /*closed*/) const noexcept { return size(); }

private:
    struct entry
    {
        detail::stored<T> element;
        std::int64_t arrival;
    };

    // Heap order: true if `a` leaves after `b`.
    struct leaves_later
    {
        Compare smaller;

        bool operator()(const entry& a, const entry& b) const
        {
            if (smaller(b.element.get(), a.element.get()))
                return true;
            if (smaller(a.element.get(), b.element.get()))
                return false;
            return b.arrival < a.arrival;
        }
    };

    void insert(T&& element, std::int64_t arrival)
    {
        reserve(size() + 1);
        heap_.push_back(entry{detail::stored<T>(std::move(element)), arrival});
        std::push_heap(heap_.begin(), heap_.end(), later_);
    }

    std::vector<entry> heap_;
    leaves_later later_;
    std::int64_t last_arrival_ = 0;
    std::int64_t first_arrival_ = 0;
};

}  // namespace sluice
