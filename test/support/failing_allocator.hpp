// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <source_location>
#include <string>
#include <utility>

namespace sluice::test {

// Why: "only the allocation of the operation may throw, and then nothing has changed" is
// proved by failing each allocation in turn; the same counters prove that all memory of an
// associated allocator comes back, and when.

/// What an allocation_budget throws.
class injected_bad_alloc : public std::bad_alloc
{
public:
    [[nodiscard]] const char* what() const noexcept override
    {
        return "injected allocation failure";
    }
};

/// Counts allocations and makes one of them fail.
/** Shared by any number of failing_allocators and, in a failing_new region, operator new. */
class allocation_budget
{
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    /// So many allocations succeed, the next one fails once, those after it succeed again.
    explicit allocation_budget(std::size_t successes = unlimited) : fails_at_{successes}
    {
    }
    allocation_budget(const allocation_budget&) = delete;
    allocation_budget& operator=(const allocation_budget&) = delete;

    /// Allocations that were tried.
    [[nodiscard]] std::size_t allocations() const noexcept { return allocations_; }

    /// Blocks that failing_allocators have given out and not got back.
    [[nodiscard]] std::size_t live() const noexcept { return live_; }

    /// Whether the failure has occurred.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    /// From here on allocations succeed.
    void disarm() noexcept { fails_at_ = unlimited; }

    /// Blocks of this size are not counted and do not fail.
    /** For a caller in the way that does not survive it. */
    void spare(std::size_t size) noexcept { spared_ = size; }

    /// Calls `f` at the next allocation, once: what another thread could do at that moment.
    void at_next(std::function<void()> f) { at_next_ = std::move(f); }

    /// Count one allocation; true if it is the one that must fail.
    [[nodiscard]] bool spend(std::size_t size = unlimited) noexcept
    {
        if (const auto f = std::exchange(at_next_, nullptr))
            f();
        if (size == spared_ || allocations_++ != fails_at_)
            return false;
        failed_ = true;
        return true;
    }

private:
    template <class T>
    friend class failing_allocator;

    std::atomic<std::size_t> fails_at_;       // the index of the allocation that fails
    std::size_t spared_ = 0;                  // no allocation asks for so little
    std::atomic<std::size_t> allocations_{};  // tried so far
    std::atomic<std::size_t> live_{};         // of failing_allocators only
    std::atomic<bool> failed_{false};         // the failure has occurred
    std::function<void()> at_next_;
};

/// An allocator that spends a budget, which must outlive all that it allocated.
template <class T>
class failing_allocator
{
public:
    using value_type = T;

    explicit failing_allocator(allocation_budget& budget) noexcept : budget_{&budget} {}

    template <class U>
    failing_allocator(const failing_allocator<U>& other) noexcept : budget_{other.budget_}
    {
    }

    [[nodiscard]] T* allocate(std::size_t count)
    {
        if (budget_->spend())
            throw injected_bad_alloc{};
        T* const memory = std::allocator<T>{}.allocate(count);
        ++budget_->live_;
        return memory;
    }

    void deallocate(T* memory, std::size_t count) noexcept
    {
        --budget_->live_;
        std::allocator<T>{}.deallocate(memory, count);
    }

    template <class U>
    bool operator==(const failing_allocator<U>& other) const noexcept
    {
        return budget_ == other.budget_;
    }

private:
    template <class U>
    friend class failing_allocator;

    allocation_budget* budget_;  // never null
};

/// Call `f(allocation_budget&)` with a failure at allocation 0, 1, 2, ... until none occurs.
/**
 * The injected failure may leave `f` as std::bad_alloc. `f` may disarm the budget when what it
 * tests is over. All that `f` allocates with the
 * budget must be gone when it returns or throws: memory still in use fails the test. Returns
 * the number of failures injected; check it, or a function that never allocates passes.
 */
template <class Function>
std::size_t for_each_failure(
    Function f,
    std::source_location where = std::source_location::current()
)
{
    constexpr std::size_t limit = 5'000;
    for (std::size_t successes = 0; successes != limit; ++successes) {
        BOOST_TEST_CONTEXT("with a failure at allocation " << successes)
        {
            allocation_budget budget{successes};
            try {
                f(budget);
            } catch (const std::bad_alloc&) {
                if (!budget.failed())
                    throw;
            }
            if (const auto live = budget.live(); live != 0)
                fail(
                    std::to_string(live) + " blocks of memory were not given back",
                    where
                );
            if (!budget.failed())
                return successes;
        }
    }
    fail("an allocation always fails: the function never comes to its end", where);
    return limit;
}

}  // namespace sluice::test
