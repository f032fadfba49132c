// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace sluice::detail {

// Memory for one posted function, in the operation that posts it, so that posting to an
// io_context neither allocates nor fails. Asio gives the memory of a function back before it
// calls or drops it; so the operation may die in the call.
class post_memory
{
public:
    static constexpr std::size_t size = 6 * sizeof(void*);

    [[nodiscard]] void* get() noexcept { return bytes_; }

private:
    alignas(void*) std::byte bytes_[size];
};

template <class T>
class post_allocator
{
public:
    using value_type = T;

    explicit post_allocator(post_memory& memory) noexcept : memory_(&memory) {}

    template <class U>
    post_allocator(const post_allocator<U>& other) noexcept : memory_(other.memory_)
    {
    }

    // One object at a time. One of another version of Asio that is too large comes from
    // elsewhere, as without this.
    [[nodiscard]] T* allocate(std::size_t count)
    {
        if constexpr (fits)
            return static_cast<T*>(memory_->get());
        else
            return std::allocator<T>().allocate(count);
    }

    void deallocate(T* object, std::size_t count) noexcept
    {
        if constexpr (!fits)
            std::allocator<T>().deallocate(object, count);
    }

    template <class U>
    bool operator==(const post_allocator<U>& other) const noexcept
    {
        return memory_ == other.memory_;
    }

private:
    template <class U>
    friend class post_allocator;

    static constexpr bool fits = [] {
        if constexpr (std::is_void_v<T>)
            return true;
        else
            return sizeof(T) <= post_memory::size && alignof(T) <= alignof(void*);
    }();

    post_memory* memory_;
};

}  // namespace sluice::detail
