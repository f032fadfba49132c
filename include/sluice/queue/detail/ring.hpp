// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace sluice::detail {

// Elements in a row, added and removed at both ends but for the back, where none is removed.
// The number of slots is a power of two and the positions only grow, so that the slot of a
// position is a mask away and the size is a difference: half the instructions of a ring with
// pointers that wrap. Growing relies on moves that cannot throw, which the queue demands of T.
template <class T>
class ring
{
public:
    ring() = default;

    ring(ring&& other) noexcept
        : slots_(std::exchange(other.slots_, nullptr)),
          mask_(std::exchange(other.mask_, no_slots)),
          first_(std::exchange(other.first_, 0)),
          last_(std::exchange(other.last_, 0))
    {
    }

    ring& operator=(ring&& other) noexcept
    {
        ring taken(std::move(other));
        std::swap(slots_, taken.slots_);
        std::swap(mask_, taken.mask_);
        std::swap(first_, taken.first_);
        std::swap(last_, taken.last_);
        return *this;
    }

    ~ring()
    {
        while (size() > 0)
            pop_front();
        if (slots_ != nullptr)
            std::allocator<T>().deallocate(slots_, capacity());
    }

    [[nodiscard]] std::size_t size() const noexcept { return last_ - first_; }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

    // Strong.
    [[gnu::always_inline]] void push_back(T&& element)
    {
        if (size() == capacity())
            grow(size() + 1);
        std::construct_at(slot(last_), std::move(element));
        ++last_;
    }

    // Strong.
    void push_front(T&& element)
    {
        if (size() == capacity())
            grow(size() + 1);
        std::construct_at(slot(first_ - 1), std::move(element));
        --first_;
    }

    [[nodiscard]] T& front() noexcept { return *slot(first_); }

    void pop_front() noexcept { std::destroy_at(slot(first_++)); }

    // Adds elements at the back, for which there is room.
    template <class Source>
    void append(std::span<Source> elements) noexcept
    {
        T* const slots = slots_;
        const std::size_t mask = mask_;
        std::size_t position = last_;
        for (Source& element : elements)
            std::construct_at(slots + (position++ & mask), std::move(element));
        last_ = position;
    }

    // Takes `count` elements from the front, each by `accept(T&&)`, which must not throw.
    template <class Accept>
    void take_front(std::size_t count, Accept&& accept) noexcept
    {
        T* const slots = slots_;
        const std::size_t mask = mask_;
        const std::size_t end = first_ + count;
        for (std::size_t position = first_; position != end; ++position) {
            T* const element = slots + (position & mask);
            accept(std::move(*element));
            std::destroy_at(element);
        }
        first_ = end;
    }

    // Makes room for `count` elements in all. Strong.
    void reserve(std::size_t count)
    {
        if (count > capacity())
            grow(count);
    }

private:
    // As a mask: capacity() is 0.
    static constexpr std::size_t no_slots = ~std::size_t{0};

    [[nodiscard]] T* slot(std::size_t position) const noexcept
    {
        return slots_ + (position & mask_);
    }

    // Out of line: a queue in steady state does not grow.
    [[gnu::noinline]] void grow(std::size_t count)
    {
        constexpr std::size_t fewest = 8;
        ring larger;
        const std::size_t slots = std::bit_ceil(count < fewest ? fewest : count);
        larger.slots_ = std::allocator<T>().allocate(slots);
        larger.mask_ = slots - 1;
        for (; size() > 0; pop_front())
            larger.push_back(std::move(front()));
        *this = std::move(larger);
    }

    T* slots_ = nullptr;
    std::size_t mask_ = no_slots;
    std::size_t first_ = 0;  // position of the front
    std::size_t last_ = 0;   // behind the back
};

}  // namespace sluice::detail
