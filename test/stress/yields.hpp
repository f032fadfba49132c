// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/dice.hpp"
#include <sluice/detail/sync/mutex.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace sluice::stress {

// Why: two threads that run freely meet in the same few orders again and again. Where one
// gives way at the moments that matter, they meet in the others as well.

/// As long as it exists, threads yield at one in `so_many` of the points that the library marks,
/// at none if that is 0. Only builds with the thread sanitizer or for coverage have points.
class yields
{
public:
    explicit yields([[maybe_unused]] std::uint64_t so_many)
    {
#ifdef SLUICE_INTERLEAVING_POINTS
        one_in_ = so_many;
        detail::interleaving_hook = so_many > 0 ? &pass : nullptr;
#endif
    }

    yields(const yields&) = delete;
    yields& operator=(const yields&) = delete;

    ~yields()
    {
#ifdef SLUICE_INTERLEAVING_POINTS
        detail::interleaving_hook = nullptr;
#endif
    }

private:
    static void pass() noexcept
    {
        thread_local soak::dice random(threads_.fetch_add(1, std::memory_order_relaxed));
        if (random.once_in(one_in_.load(std::memory_order_relaxed)))
            std::this_thread::yield();
    }

    static inline std::atomic<std::uint64_t> one_in_{0};
    static inline std::atomic<std::uint64_t> threads_{0};
};

}  // namespace sluice::stress
