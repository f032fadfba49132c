// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>

// From glibc 2.32 on. Older ones, and other C libraries, do not say.
#ifndef SLUICE_KNOWS_OF_THREADS
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define SLUICE_KNOWS_OF_THREADS 1
#else
#define SLUICE_KNOWS_OF_THREADS 0
#endif
#endif

namespace sluice::detail {

// Atomic operations for a process that may have one thread only. A locked instruction costs
// as much as everything else that an uncontended queue does, and until a second thread is
// made it protects from no thread. The C library knows: it sees each thread begin, and the
// reference counts of std::shared_ptr ask it too. A second thread may begin between two of
// these operations but not inside of one, and its creation orders what came before.
[[nodiscard]] inline bool threads_exist() noexcept
{
#if SLUICE_KNOWS_OF_THREADS
    return __libc_single_threaded == 0;
#else
    return true;
#endif
}

template <class T>
T fetch_add(std::atomic<T>& target, T addend, std::memory_order order) noexcept
{
    if (threads_exist())
        return target.fetch_add(addend, order);
    const T before = target.load(std::memory_order_relaxed);
    target.store(before + addend, std::memory_order_relaxed);
    return before;
}

// Strong. `order` is that of success.
template <class T>
bool compare_exchange(
    std::atomic<T>& target,
    T expected,
    T desired,
    std::memory_order order
) noexcept
{
    if (threads_exist())
        return target
            .compare_exchange_strong(expected, desired, order, std::memory_order_relaxed);
    if (target.load(std::memory_order_relaxed) != expected)
        return false;
    target.store(desired, std::memory_order_relaxed);
    return true;
}

}  // namespace sluice::detail
