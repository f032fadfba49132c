// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/claim.hpp>

#include <sluice/detail/sync/backoff.hpp>
#include <sluice/detail/sync/mutex.hpp>

#include <functional>
#include <utility>

namespace sluice::detail {

const claim* claim::try_take_both(claim* a, claim* b) noexcept
{
    if (std::less<>{}(b, a))
        std::swap(a, b);
    if (a != nullptr && !a->try_change(held))
        return a;
    interleaving_point();
    if (b != nullptr && !b->try_change(taken)) {
        if (a != nullptr)
            a->state_.store(open, std::memory_order_release);
        return b;
    }
    if (a != nullptr)
        a->state_.store(taken, std::memory_order_release);
    return nullptr;
}

bool claim::try_change(std::uint32_t next) noexcept
{
    for (backoff waiting;; waiting.wait()) {
        std::uint32_t seen = open;
        // acq_rel: the winner publishes its queue's writes to the thread that reads the claim
        // next, and sees those of the thread that released it
        if (state_.compare_exchange_strong(
                seen,
                next,
                std::memory_order_acq_rel,
                std::memory_order_acquire
            ))
            return true;
        if (seen == taken)
            return false;
    }
}

}  // namespace sluice::detail
