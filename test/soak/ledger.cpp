// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/ledger.hpp"

#include <stdexcept>

namespace sluice::soak {

totals& totals::operator+=(const totals& other) noexcept
{
    operations += other.operations;
    accepted += other.accepted;
    delivered += other.delivered;
    left += other.left;
    returned += other.returned;
    overflowed += other.overflowed;
    weighings += other.weighings;
    return *this;
}

std::uint32_t ledger::open()
{
    const std::uint32_t number = opened_.fetch_add(1, std::memory_order_relaxed);
    if (number >= entries_.size())
        throw std::length_error("the ledger is full");
    return number;
}

void ledger::complain(const std::string& text)
{
    if (!complained_.exchange(true))
        complaint_ = text;
}

totals ledger::audit() const
{
    if (complained_)
        throw std::runtime_error(complaint_);
    totals sum;
    std::uint64_t unclear = 0;
    for (std::uint32_t number = 0; number < opened_; ++number)
        unclear += check(number, sum);
    if (sum.overflowed > overflowed_ || sum.overflowed + unclear < overflowed_)
        throw std::runtime_error(
            "the queues say that they dropped " + std::to_string(overflowed_) +
            " elements, and " + std::to_string(sum.overflowed) + " are gone"
        );
    return sum;
}

unsigned ledger::check(std::uint32_t number, totals& sum) const
{
    const std::uint32_t entry = entries_[number];
    const auto times = [entry](event what) { return (entry >> shift(what)) & 15U; };
    const unsigned accepted = times(event::accepted);
    const unsigned refused = times(event::refused);
    const unsigned delivered = times(event::delivered);
    const unsigned left = times(event::left);
    const unsigned returned = times(event::returned);
    const unsigned dropped = times(event::dropped);
    const bool owned = times(event::owned) != 0;
    const unsigned overflowed = times(event::overflowed);
    const unsigned ends = delivered + left + returned + dropped + overflowed;

    const auto require = [&](bool holds, const char* rule) {
        if (holds)
            return;
        throw std::runtime_error(
            "element " + std::to_string(number) + ": " + rule + " (accepted " +
            std::to_string(accepted) + ", refused " + std::to_string(refused) +
            ", delivered " + std::to_string(delivered) + ", left " +
            std::to_string(left) + ", returned " + std::to_string(returned) +
            ", dropped " + std::to_string(dropped) + ", overflowed " +
            std::to_string(overflowed) + ")"
        );
    };
    require(delivered <= 1, "was delivered more than once");
    require(ends >= 1, "has vanished");
    require(ends <= 1, "has more than one end");
    require(accepted + refused <= 1, "its enqueue completed more than once");
    require(
        accepted == 0 || delivered + left + overflowed == 1,
        "was accepted and then lost"
    );
    require(refused == 0 || delivered == 0, "was refused and yet delivered");
    require(
        refused == 0 || owned || returned == 1,
        "was refused but not left to its producer"
    );
    require(dropped == 0 || (owned && accepted == 0), "was lost on its way");

    // An async_enqueue that fails destroys its element, perhaps after the queue's death.
    const bool stayed_out = returned + dropped == 1 || refused == 1;
    sum.accepted += stayed_out ? 0U : 1U;
    sum.returned += stayed_out ? 1U : 0U;
    sum.delivered += delivered;
    sum.left += stayed_out ? 0U : left;
    const bool is_unclear = overflowed == 1 && owned && accepted + refused == 0;
    sum.overflowed += stayed_out || is_unclear ? 0U : overflowed;
    sum.accepted -= is_unclear ? 1U : 0U;
    return is_unclear ? 1 : 0;
}

void offer::settle(std::size_t count)
{
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool went_in = i < count;
        book_.note(
            rows_[i].number(),
            went_in ? ledger::event::accepted : ledger::event::refused
        );
        if (rows_[i].is_there() == went_in)
            book_.complain(
                "element " + std::to_string(rows_[i].number()) +
                (went_in ? " was reported in, but is still with its producer"
                         : " was reported refused, but is not with its producer")
            );
    }
}

}  // namespace sluice::soak
