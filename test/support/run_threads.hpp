// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::test {

// Why: a race is only found if the threads really start together, and an exception in one of
// them must fail the test instead of ending the program.

/// Call `f(index)` (or `f()`) in `count` threads that start together; wait for all of them.
/**
 * Rethrows the first exception. Boost.Test's assertions may not be used inside `f`: collect
 * and assert afterwards, throw, or use test::check.
 */
template <class Function>
void run_threads(std::size_t count, Function f)
{
    std::latch gate{static_cast<std::ptrdiff_t>(count)};
    std::mutex mutex;
    std::exception_ptr first_error;

    const auto body = [&](std::size_t index) {
        gate.arrive_and_wait();
        try {
            if constexpr (std::invocable<Function&, std::size_t>)
                f(index);
            else
                f();
        } catch (...) {
            std::lock_guard lock{mutex};
            if (!first_error)
                first_error = std::current_exception();
        }
    };

    {
        std::vector<std::jthread> threads;
        threads.reserve(count);
        try {
            while (threads.size() != count)
                threads.emplace_back(body, threads.size());
        } catch (...) {
            // Without this those that did start would wait for ever.
            gate.count_down(static_cast<std::ptrdiff_t>(count - threads.size()));
            throw;
        }
    }
    if (first_error)
        std::rethrow_exception(first_error);
}

}  // namespace sluice::test
