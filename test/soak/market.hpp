// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/dice.hpp"
#include "soak/ledger.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/io_context.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::soak {

using fifo = fifo_queue<element>;
using shuffle = shuffle_queue<element>;
using priority = priority_queue<element>;
using padding = padding_queue<element>;

/// A queue that announces its death, so that its elements know.
template <class Queue>
class stall
{
public:
    stall(
        boost::asio::io_context& context,
        typename Queue::options_type options,
        ledger& book,
        fate& shared
    )
        : queue_(context, std::move(options)), book_(book), fate_(shared)
    {
    }

    stall(const stall&) = delete;
    stall& operator=(const stall&) = delete;

    ~stall()
    {
        const queue_stats stats = queue_.stats();
        if (stats.enqueued + stats.returned !=
            stats.dequeued + stats.dropped + stats.size + stats.held)
            book_.complain("the statistics of a queue do not add up");
        if (!is_plausible_weight(stats))
            book_.complain("the elements of a queue do not weigh what it says");
        book_.note_overflow(stats.dropped);
        fate_.is_dead = true;
    }

    [[nodiscard]] Queue& queue() noexcept { return queue_; }

    [[nodiscard]] offer make_offer(std::size_t count) { return {book_, fate_, count}; }

    [[nodiscard]] ledger& book() noexcept { return book_; }

private:
    static bool is_plausible_weight(const queue_stats& stats)
    {
        if (stats.weight_limit == unbounded)
            return stats.weight == 0;
        return stats.weight >= stats.size &&
               stats.weight <= stats.size * heaviest_element;
    }

    Queue queue_;
    ledger& book_;
    fate& fate_;
};

template <class Queue>
using stall_ptr = std::shared_ptr<stall<Queue>>;

using any_stall = std::
    variant<stall_ptr<fifo>, stall_ptr<shuffle>, stall_ptr<priority>, stall_ptr<padding>>;

/// The queues of a round. All members are safe from any thread.
/** Whoever holds a stall keeps its queue alive; one that nobody holds dies with its waiters. */
class market
{
public:
    market(boost::asio::io_context& context, ledger& book, dice chance);

    [[nodiscard]] any_stall any(dice& chance);

    [[nodiscard]] stall_ptr<fifo> any_fifo(dice& chance);

    /// Closes one of the queues in one of the three ways.
    void close_one(dice& chance);

    /// Puts a fresh queue in the place of another, which may be open and waited on.
    void replace_one(dice& chance);

    /// Closes all queues of the past and the present; those of the future are born closed.
    void close_for_good();

    /// Lets go of all queues.
    void clear();

private:
    static constexpr std::size_t fifos = 3;
    static constexpr std::size_t size = fifos + 3;

    any_stall make(std::size_t place, dice& chance);

    template <class Queue>
    any_stall make(typename Queue::options_type options);

    boost::asio::io_context& context_;
    ledger& book_;
    std::mutex mutex_;
    std::array<any_stall, size> places_;  // guarded by mutex_
    std::deque<fate> fates_;              // guarded by mutex_; outlives the elements
    std::vector<std::function<void()>> closers_;  // guarded by mutex_; one per queue
    bool closed_for_good_ = false;                // guarded by mutex_
};

}  // namespace sluice::soak
