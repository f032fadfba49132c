// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/sync/mutex.hpp>

#include <sluice/detail/sync/backoff.hpp>

namespace sluice::detail {

void mutex::stand_back() noexcept
{
    for (backoff waiting; !waiting.sleeps();) {
        if (!is_awaited_.load(std::memory_order_relaxed))
            return;
        waiting.wait();
    }
}

void mutex::lock_contended() noexcept
{
    backoff waiting;
    do {
        is_awaited_.store(true, std::memory_order_relaxed);
        waiting.wait();
        // Looks before it tries: a failed exchange takes the owner's cache line away.
    } while (locked_.load(std::memory_order_relaxed) != 0 || !try_lock());
    // Others that wait set it again when they look.
    is_awaited_.store(false, std::memory_order_relaxed);
}

}  // namespace sluice::detail
