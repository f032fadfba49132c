// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/dice.hpp"
#include "soak/ledger.hpp"
#include "soak/weighed_store.hpp"
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::soak {

template <class Store>
using weighed_queue =
    basic_queue<element, weighed_store<Store>, boost::asio::any_io_executor>;

using fifo = weighed_queue<fifo_store<element>>;
using shuffle = weighed_queue<shuffle_store<element>>;
using priority = weighed_queue<priority_store<element, std::less<>>>;
using padding = weighed_queue<padding_store<element>>;

/// What outlives a queue, for its elements and its store.
struct surroundings
{
    surroundings(ledger& of_round, std::size_t weight_limit) noexcept
        : book(of_round), weight(of_round, weight_limit)
    {
    }

    ledger& book;
    fate shared;
    scales weight;
};

/// A queue that announces its death, so that its elements know.
template <class Queue>
class stall
{
public:
    stall(
        boost::asio::io_context& context,
        const typename Queue::options_type& options,
        surroundings& around
    )
        : queue_(context, options), around_(around)
    {
    }

    stall(const stall&) = delete;
    stall& operator=(const stall&) = delete;

    ~stall()
    {
        const queue_stats stats = queue_.stats();
        if (stats.enqueued + stats.returned !=
            stats.dequeued + stats.dropped + stats.size + stats.held)
            book().complain("the statistics of a queue do not add up");
        weigh();
        book().note_overflow(stats.dropped);
        around_.shared.is_dead = true;
    }

    [[nodiscard]] Queue& queue() noexcept { return queue_; }

    [[nodiscard]] offer make_offer(std::size_t count)
    {
        return {book(), around_.shared, count};
    }

    [[nodiscard]] ledger& book() noexcept { return around_.book; }

    /// Whether the queue is as heavy as it says.
    void weigh() { around_.weight.compare(queue_); }

private:
    Queue queue_;
    surroundings& around_;
};

template <class Queue>
using stall_ptr = std::shared_ptr<stall<Queue>>;

using any_stall = std::
    variant<stall_ptr<fifo>, stall_ptr<shuffle>, stall_ptr<priority>, stall_ptr<padding>>;

/// The queues of a round. All members are safe from any thread.
/** The holder of a stall keeps its queue alive; one without a holder dies with its waiters. */
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

    /// Whether each queue is as heavy as it says.
    void weigh_all();

    /// How often that was found out.
    [[nodiscard]] std::uint64_t weighings();

    /// Lets go of all queues.
    void clear();

private:
    static constexpr std::size_t fifos = 3;
    static constexpr std::size_t size = fifos + 3;

    any_stall make(std::size_t place, dice& chance);

    template <class Store>
    any_stall make(const typename Store::options_type& options);

    boost::asio::io_context& context_;
    ledger& book_;
    std::mutex mutex_;
    std::array<any_stall, size> places_;  // guarded by mutex_
    std::deque<surroundings> around_;     // guarded by mutex_; outlives the elements
    std::vector<std::function<void()>> closers_;  // guarded by mutex_; one per queue
    bool closed_for_good_ = false;                // guarded by mutex_
};

}  // namespace sluice::soak
