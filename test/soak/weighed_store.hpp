// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/ledger.hpp"
#include <sluice/queue/queue_options.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sluice::soak {

// Why: a queue that counts a weight wrongly keeps a limit that is not the one it was given. So
// the stores of this program weigh what is in them a second time, and hold the queue to it.

/// What the elements in the store of a queue weigh, by the store's own count.
/** Written under the lock of the queue, read from any thread. */
class scales
{
public:
    scales(ledger& book, std::size_t limit) noexcept : book_(book), limit_(limit) {}

    /// Before an element comes in. It may be too heavy only if it `may_exceed` the limit; what
    /// was returned may have exceeded it before.
    void check(std::size_t added, bool may_exceed)
    {
        if (weight_ + added > limit_ && !may_exceed)
            book_.complain("a queue took an element beyond its weight limit");
    }

    void add(std::size_t weight) noexcept { change(weight_ + weight); }

    void remove(std::size_t weight) noexcept { change(weight_ - weight); }

    /// Whether the queue says that it has this weight. Neither if it changes meanwhile.
    template <class Queue>
    void compare(const Queue& queue)
    {
        // acquire: the weight is not older than the number of its change
        const std::uint64_t before = changes_.load(std::memory_order_acquire);
        const std::size_t weight = weight_;
        const queue_stats stats = queue.stats();  // waits for a change that is under way
        if (changes_ != before)
            return;
        comparisons_.fetch_add(1, std::memory_order_relaxed);
        if (stats.weight != (stats.weight_limit == unbounded ? 0 : weight))
            book_.complain("the elements of a queue do not weigh what it says");
    }

    [[nodiscard]] std::uint64_t comparisons() const noexcept { return comparisons_; }

private:
    void change(std::size_t weight) noexcept
    {
        weight_.store(weight, std::memory_order_relaxed);
        // release: a thread that sees it sees the weight
        changes_.fetch_add(1, std::memory_order_release);
    }

    ledger& book_;
    const std::size_t limit_;
    std::atomic<std::size_t> weight_{0};
    std::atomic<std::uint64_t> changes_{0};
    std::atomic<std::uint64_t> comparisons_{0};
};

/// No consumer of this program asks for more at once.
inline constexpr std::size_t largest_batch = 12;

/// A store that weighs what comes and goes, if its queue has a weight limit.
/** No actor here fills a place that was reserved, which no weight keeps out. */
template <class Store>
class weighed_store : public Store
{
public:
    struct options_type : Store::options_type
    {
        scales* weighs;  // null: nothing does; outlives the queue
    };

    explicit weighed_store(const options_type& options)
        : Store(options), scales_(options.weighs)
    {
    }

    void push(element&& added)
    {
        const std::size_t weight = added.weight();
        if (scales_ != nullptr)
            scales_->check(weight, may_exceed(0));
        Store::push(std::move(added));
        if (scales_ != nullptr)
            scales_->add(weight);
    }

    void push_many(std::span<element> rows) noexcept
        requires requires(Store& store) { store.push_many(rows); }
    {
        for (std::size_t i = 0; i < rows.size() && scales_ != nullptr; ++i) {
            scales_->check(rows[i].weight(), may_exceed(i));
            scales_->add(rows[i].weight());
        }
        Store::push_many(rows);
    }

    void put_back(element&& returned)
    {
        const std::size_t weight = returned.weight();
        Store::put_back(std::move(returned));
        if (scales_ != nullptr)
            scales_->add(weight);
    }

    [[nodiscard]] element pop()
    {
        element taken = Store::pop();
        if (scales_ != nullptr)
            scales_->remove(taken.weight());
        return taken;
    }

    void pop_many(std::vector<element>& batch, std::size_t count) noexcept
        requires requires(Store& store) { store.pop_many(batch, count); }
    {
        const std::size_t before = batch.size();
        Store::pop_many(batch, count);
        for (std::size_t i = before; i < batch.size() && scales_ != nullptr; ++i)
            scales_->remove(batch[i].weight());
    }

private:
    // If nothing can be taken, or not yet the batch that a consumer may wait for (S26). So many
    // come in before the element.
    [[nodiscard]] bool may_exceed(std::size_t before) const noexcept
    {
        return this->available(false) + before == 0 ||
               (Store::whole_batches && this->size() + before < largest_batch);
    }

    scales* scales_;
};

}  // namespace sluice::soak
