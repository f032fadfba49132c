// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::detail {

// Decides which one of several waiters that stand for the same operation (the branches of
// a select) may proceed. The branches wait in different queues under different locks, so
// the decision is one atomic word of its own: the branch that takes the claim has won, all
// others find it taken and step aside.
//
// At capacity 0 an enqueue of one select may meet a dequeue of another one (S14). That needs two
// claims at once: taken one after the other, the first select would be decided and have no partner.
// So a rendezvous first holds both (in address order, so that two of them never wait for each
// other) and then takes both or releases both. Holding lasts a few instructions, and a thread that
// meets a held claim backs off.
class claim
{
public:
    claim() = default;
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;

    [[nodiscard]] bool is_taken() const noexcept
    {
        return state_.load(std::memory_order_acquire) == taken;
    }

    [[nodiscard]] bool try_take() noexcept { return try_change(taken); }

    // Takes both claims or neither. Either may be null, which stands for "not needed".
    // Returns the one that was taken already, null if both are ours now.
    [[nodiscard]] static const claim* try_take_both(claim* a, claim* b) noexcept;

private:
    static constexpr std::uint32_t open = 0;
    static constexpr std::uint32_t held = 1;
    static constexpr std::uint32_t taken = 2;

    bool try_change(std::uint32_t next) noexcept;

    std::atomic<std::uint32_t> state_{open};
};

}  // namespace sluice::detail
