// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/failing_allocator.hpp"

#include <cstddef>
#include <source_location>

namespace sluice::test {

// Why: "a ready operation allocates nothing" is a promise about all memory, not about one
// allocator. Using this header replaces the global operator new of the test program, and
// (with glibc) aligned_alloc, which Asio uses for handlers and coroutine frames.
//
// Asio recycles small blocks per thread while an io_context runs, so a repeated operation may
// take memory without being seen here. Measure the first one, or many that overlap.

/// Counts the allocations of the current thread since its construction.
class allocation_counter
{
public:
    allocation_counter() noexcept;

    [[nodiscard]] std::size_t count() const noexcept;

    /// Fails the test if there were any.
    bool check_none(std::source_location where = std::source_location::current()) const;

private:
    std::size_t start_;  // of the thread's count, at construction
};

/// A region in which every allocation of the current thread spends the budget.
/**
 * For for_each_failure: `f` opens the region around the call under test only, since setup
 * and checks allocate too. Regions of a thread nest; the innermost counts.
 */
class failing_new
{
public:
    explicit failing_new(allocation_budget& budget) noexcept;
    failing_new(const failing_new&) = delete;
    failing_new& operator=(const failing_new&) = delete;
    ~failing_new();

private:
    allocation_budget* outer_;  // of the enclosing region, or null
};

}  // namespace sluice::test
