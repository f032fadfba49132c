// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace sluice::detail {

// Elements in a row, added and removed at both ends but for the back, where none is removed.
// They are in blocks that form a circle: those with elements, from the front to the back, then
// those without. The number of slots of a block is a power of two and the positions only grow,
// so that the slot of a position in its block is a mask away and the size is a difference.
//
// Up to `block_slots` elements there is one block, which is used as a ring and replaced by one of
// twice the size. From there on blocks are added and no element moves any more, so that no
// growth moves more elements than one block has. Memory is kept until shrink_to_fit().
// Growing relies on moves that cannot throw, which the queue demands of T.
template <class T>
class ring
{
public:
    static constexpr std::size_t block_slots = 256;

    ring() = default;

    ring(ring&& other) noexcept { swap(other); }

    ring& operator=(ring&& other) noexcept
    {
        ring taken(std::move(other));
        swap(taken);
        return *this;
    }

    ~ring()
    {
        if (size() > 0)
            take_front(size(), [](T&&) {});
        for (; blocks_ > 0; --blocks_)
            std::allocator<block>().deallocate(
                std::exchange(front_, front_->next),
                extent(mask_ + 1)
            );
    }

    [[nodiscard]] std::size_t size() const noexcept { return last_ - first_; }

    // How many elements fit in without memory, wherever the first is in its block.
    [[nodiscard]] std::size_t capacity() const noexcept
    {
        return blocks_ > 1 ? (blocks_ - 1) * block_slots : mask_ + 1;
    }

    // Strong.
    [[gnu::always_inline]] void push_back(T&& element)
    {
        if (size() >= ring_slots_)
            make_room_at_back();
        // before the element, which the compiler takes for a position, too
        const std::size_t position = last_++;
        std::construct_at(slot(back_, position), std::move(element));
    }

    // Strong.
    void push_front(T&& element)
    {
        reserve(size() + 1);
        if (blocks_ > 1 && first_ == front_end_ - block_slots)
            go_back();
        std::construct_at(slot(front_, first_ - 1), std::move(element));
        --first_;
    }

    [[nodiscard, gnu::always_inline]] T take_front() noexcept
    {
        if (first_ == front_end_)
            go_on();
        T* const element = slot(front_, first_++);
        T taken(std::move(*element));
        std::destroy_at(element);
        return taken;
    }

    // Adds elements at the back, for which there is room.
    template <class Source>
    [[gnu::always_inline]] void append(std::span<Source> elements) noexcept
    {
        if (ring_slots_ == 0) [[unlikely]]
            append_to_blocks(elements);
        else
            add_run(elements);
    }

    // Takes `count` elements from the front, each by `accept(T&&)`, which must not throw.
    template <class Accept>
    [[gnu::always_inline]] void take_front(std::size_t count, Accept&& accept) noexcept
    {
        if (ring_slots_ == 0) [[unlikely]]
            take_from_blocks(count, accept);
        else
            take_run(count, accept);
    }

    // Makes room for `count` elements in all. Strong, but for memory that is left.
    void reserve(std::size_t count)
    {
        if (count > ring_slots_)
            grow(count);
    }

    // Gives up the memory beyond that for `count` elements in all, which dies with the result.
    // Moves no more elements than one block has. Strong.
    [[nodiscard]] ring shrink_to_fit(std::size_t count)
    {
        count = std::max(count, size());
        if (count <= block_slots)
            return slots_for(count) < capacity() ? relocate(count) : ring();
        if (blocks_ <= 1)
            return ring();
        if (first_ == front_end_ && size() > 0)
            go_on();
        const std::size_t used = (back_end_ - front_end_) / block_slots + 1;
        const std::size_t kept = std::max(blocks_for(count), used);
        if (kept >= blocks_)
            return ring();
        block* end = front_;
        for (std::size_t i = used; i < kept; ++i)
            end = end->previous;
        return take_blocks(blocks_ - kept, back_->next, end->previous);
    }

private:
    // Its slots are behind it.
    struct alignas(std::max(alignof(T), alignof(void*))) block
    {
        block* next;
        block* previous;
    };

    // As a mask: capacity() is 0.
    static constexpr std::size_t no_slots = ~std::size_t{0};

    [[nodiscard]] T* slot(block* in, std::size_t position) const noexcept
    {
        return slots_of(in) + (position & mask_);
    }

    [[nodiscard]] static T* slots_of(block* in) noexcept
    {
        return reinterpret_cast<T*>(in + 1);
    }

    [[nodiscard]] static std::size_t slots_for(std::size_t count) noexcept
    {
        constexpr std::size_t fewest = 8;
        return count == 0 ? 0 : std::bit_ceil(std::max(count, fewest));
    }

    // Wherever the first element is in its block.
    [[nodiscard]] static std::size_t blocks_for(std::size_t count) noexcept
    {
        return (count + block_slots - 1) / block_slots + 1;
    }

    // Many at a time ----------------------------------------------------------------------

    // All in the back block.
    template <class Source>
    [[gnu::always_inline]] void add_run(std::span<Source> elements) noexcept
    {
        T* const slots = slots_of(back_);
        const std::size_t mask = mask_;
        std::size_t position = last_;
        for (Source& element : elements)
            std::construct_at(slots + (position++ & mask), std::move(element));
        last_ = position;
    }

    template <class Source>
    [[gnu::noinline]] void append_to_blocks(std::span<Source> elements) noexcept
    {
        while (!elements.empty()) {
            if (last_ == back_end_)
                make_room_at_back();
            const std::size_t count = std::min(elements.size(), back_end_ - last_);
            add_run(elements.first(count));
            elements = elements.subspan(count);
        }
    }

    // All in the front block.
    template <class Accept>
    [[gnu::always_inline]] void take_run(std::size_t count, Accept& accept) noexcept
    {
        T* const slots = slots_of(front_);
        const std::size_t mask = mask_;
        const std::size_t end = first_ + count;
        for (std::size_t position = first_; position != end; ++position) {
            T* const element = slots + (position & mask);
            accept(std::move(*element));
            std::destroy_at(element);
        }
        first_ = end;
    }

    template <class Accept>
    [[gnu::noinline]] void take_from_blocks(std::size_t count, Accept& accept) noexcept
    {
        while (count > 0) {
            if (first_ == front_end_)
                go_on();
            const std::size_t run = std::min(count, front_end_ - first_);
            take_run(run, accept);
            count -= run;
        }
    }

    // The circle --------------------------------------------------------------------------

    // The block itself and its slots, in blocks without any.
    [[nodiscard]] static std::size_t extent(std::size_t slots) noexcept
    {
        return 1 + (slots * sizeof(T) + sizeof(block) - 1) / sizeof(block);
    }

    // Adds one behind the back.
    void add_block()
    {
        block* const added = std::allocator<block>().allocate(extent(mask_ + 1));
        if (blocks_++ == 0)
            front_ = back_ = std::construct_at(added, block{added, added});
        else
            std::construct_at(added, block{back_->next, back_});
        added->next->previous = added;
        added->previous->next = added;
    }

    // Takes `count` blocks out, from `first` to `last`.
    [[nodiscard]] ring take_blocks(std::size_t count, block* first, block* last) noexcept
    {
        first->previous->next = last->next;
        last->next->previous = first->previous;
        first->previous = last;
        last->next = first;
        ring taken;
        taken.front_ = taken.back_ = first;
        taken.blocks_ = count;
        taken.mask_ = mask_;
        blocks_ -= count;
        return taken;
    }

    // Where a block ends, or seems to ------------------------------------------------------

    // The ring is full, or the elements are in blocks.
    [[gnu::noinline]] void make_room_at_back()
    {
        if (blocks_ > 1 && last_ != back_end_)
            return;
        reserve(size() + 1);
        if (blocks_ > 1 && last_ == back_end_) {
            back_ = back_->next;
            back_end_ += block_slots;
        }
    }

    // The first element is not in the front block but in the next one. A ring has only one, and
    // goes on in it.
    [[gnu::noinline]] void go_on() noexcept
    {
        front_ = front_->next;
        front_end_ += block_slots;
    }

    // Before the first slot of the front block.
    void go_back() noexcept
    {
        front_ = front_->previous;
        front_end_ -= block_slots;
    }

    // Growth ------------------------------------------------------------------------------

    // Out of line: a queue in steady state does not grow, or has blocks.
    [[gnu::noinline]] void grow(std::size_t count)
    {
        if (blocks_ <= 1)
            (void)relocate(count);
        while (count > capacity())
            add_block();
    }

    // Moves all elements, of which there are no more than a block has, to other blocks with room
    // for at least as many. Returns the former ones.
    ring relocate(std::size_t count)
    {
        ring other;
        other.first_ = other.last_ = other.front_end_ = other.back_end_ = first_;
        if (count <= block_slots) {
            other.ring_slots_ = slots_for(count);
            other.mask_ = other.ring_slots_ - 1;
            if (count > 0)
                other.add_block();
        } else {
            other.mask_ = block_slots - 1;
            other.add_block();
            other.add_block();
            other.front_end_ = other.back_end_ = (first_ | other.mask_) + 1;
        }
        if (size() > 0)
            take_front(size(), [&other](T&& element) {
                other.push_back(std::move(element));
            });
        swap(other);
        return other;
    }

    void swap(ring& other) noexcept
    {
        std::swap(front_, other.front_);
        std::swap(back_, other.back_);
        std::swap(blocks_, other.blocks_);
        std::swap(mask_, other.mask_);
        std::swap(ring_slots_, other.ring_slots_);
        std::swap(first_, other.first_);
        std::swap(last_, other.last_);
        std::swap(front_end_, other.front_end_);
        std::swap(back_end_, other.back_end_);
    }

    std::size_t first_ = 0;        // position of the front
    std::size_t last_ = 0;         // behind the back
    std::size_t ring_slots_ = 0;   // of the only block; 0 if there are more, or none
    std::size_t mask_ = no_slots;  // one less than a block has slots
    block* front_ = nullptr;       // of the first element, or the one before
    block* back_ = nullptr;        // of the last element
    std::size_t front_end_ = 0;    // behind the front block; of no meaning in a ring
    std::size_t back_end_ = 0;     // behind the back block; of no meaning in a ring
    std::size_t blocks_ = 0;
};

}  // namespace sluice::detail
