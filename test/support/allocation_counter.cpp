// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"

#include "support/check.hpp"

#include <cstdlib>
#include <new>
#include <string>
#include <utility>

namespace {

// Plain data, so that operator new may be called before main() and in any thread.
constinit thread_local std::size_t allocations = 0;
constinit thread_local sluice::test::allocation_budget* budget = nullptr;

bool count_and_fail(std::size_t size) noexcept
{
    ++allocations;
    return budget != nullptr && budget->spend(size);
}

void* allocate(std::size_t size, std::size_t alignment) noexcept
{
    if (count_and_fail(size))
        return nullptr;
    size = size == 0 ? 1 : size;
    if (alignment <= alignof(std::max_align_t))
        return std::malloc(size);
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment)
{
    void* const memory = allocate(size, alignment);
    if (memory != nullptr)
        return memory;
    if (budget != nullptr && budget->failed())
        throw sluice::test::injected_bad_alloc{};
    throw std::bad_alloc{};
}

std::size_t to_size(std::align_val_t alignment) noexcept
{
    return static_cast<std::size_t>(alignment);
}

constexpr std::size_t plain = alignof(std::max_align_t);

}  // namespace

// All replaceable forms, so that new and delete match whatever the standard library does.

void* operator new(std::size_t size)
{
    return allocate_or_throw(size, plain);
}
void* operator new[](std::size_t size)
{
    return allocate_or_throw(size, plain);
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return allocate_or_throw(size, to_size(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment)
{
    return allocate_or_throw(size, to_size(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return allocate(size, plain);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return allocate(size, plain);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return allocate(size, to_size(alignment));
}
void* operator new
    [](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return allocate(size, to_size(alignment));
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept
{
    std::free(memory);
}

#ifdef __GLIBC__
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    if (count_and_fail(size))
        return nullptr;
    void* memory = nullptr;
    const auto enough = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    return posix_memalign(&memory, enough, size) == 0 ? memory : nullptr;
}
#endif

namespace sluice::test {

allocation_counter::allocation_counter() noexcept : start_{allocations} {}

std::size_t allocation_counter::count() const noexcept
{
    return allocations - start_;
}

bool allocation_counter::check_none(std::source_location where) const
{
    const auto counted = count();
    return check(counted == 0, std::to_string(counted) + " allocations", where);
}

failing_new::failing_new(allocation_budget& new_budget) noexcept
    : outer_{std::exchange(budget, &new_budget)}
{
}

failing_new::~failing_new()
{
    budget = outer_;
}

}  // namespace sluice::test
