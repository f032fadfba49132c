// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/semaphore.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Puts what the workers of a runner give into the order of what they took.
//
// A ticket is the position, in the input, of what a worker has taken at a time. It lasts until all
// that this becomes has been given. The first ticket has the turn: what its owner gives is
// written at once. What the owners of others give is kept until their turn comes, and they go on.
//
// - Tickets are in the order of the input: who holds the only permit of `reading_` takes from
//   the input, and opens a ticket before giving the permit back.
// - One worker at a time writes: the owner of the first ticket. When that ends its ticket it
//   writes what is kept for those behind that have ended, too, up to the first one that has
//   not. So what a worker has left behind is never forgotten.
// - Nothing is kept while more than `most_kept` bytes are: its owner waits for the turn. The
//   owner of the first ticket never waits here, so the turn comes.
class result_order
{
public:
    using ticket = std::uint64_t;
    using write_function =
        std::function<boost::asio::awaitable<void>(std::vector<element>&)>;

    result_order(const boost::asio::any_io_executor& executor, std::size_t most_kept)
        : executor_(executor),
          most_kept_(most_kept),
          reading_(executor, {.permits = 1, .name = "turn to read"})
    {
    }

    // The turn to take from the input, as a permit.
    [[nodiscard]] auto turn_to_read() { return reading_.acquire(); }

    // For what was taken just now.
    [[nodiscard]] ticket open()
    {
        const std::lock_guard lock(mutex_);
        entries_.emplace_back();
        kept_bytes_ += sizeof(entry);
        return first_ + (entries_.size() - 1);
    }

    // Gives a part of what the ticket becomes. Leaves the vector empty.
    [[nodiscard]] boost::asio::awaitable<void> write(
        ticket own,
        std::vector<element>& elements,
        const write_function& write_on
    )
    {
        if (keep(own, elements))
            co_return;
        co_await wait_for_turn(own);
        co_await write_kept(write_on);
        co_await write_on(elements);
    }

    // There is no more.
    [[nodiscard]] boost::asio::awaitable<void> end(
        ticket own,
        const write_function& write_on
    )
    {
        if (leave(own))
            co_return;
        co_await wait_for_turn(own);
        do
            co_await write_kept(write_on);
        while (go_on());
    }

private:
    struct entry
    {
        std::vector<element> kept;
        bool has_ended = false;
        std::shared_ptr<event> turn;  // null unless its owner waits for it
    };

    static std::size_t weight_of(const std::vector<element>& elements) noexcept
    {
        std::size_t sum = 0;
        for (const element& each : elements)
            sum += each.weight();
        return sum;
    }

    // False if it is the turn of this ticket, or if there is no room.
    [[nodiscard]] bool keep(ticket own, std::vector<element>& elements)
    {
        const std::size_t weight = weight_of(elements);
        const std::lock_guard lock(mutex_);
        if (own == first_ || kept_bytes_ > most_kept_)
            return false;
        std::vector<element>& kept = entry_of(own).kept;
        kept.insert(
            kept.end(),
            std::make_move_iterator(elements.begin()),
            std::make_move_iterator(elements.end())
        );
        kept_bytes_ += weight;
        elements.clear();
        return true;
    }

    // Whether the owner may go: what is kept for it will be written by who ends the ticket before.
    [[nodiscard]] bool leave(ticket own)
    {
        const std::lock_guard lock(mutex_);
        if (own == first_ || kept_bytes_ > most_kept_)
            return false;
        entry_of(own).has_ended = true;
        return true;
    }

    [[nodiscard]] boost::asio::awaitable<void> wait_for_turn(ticket own)
    {
        std::shared_ptr<event> turn;
        {
            const std::lock_guard lock(mutex_);
            if (own == first_)
                co_return;
            turn = std::make_shared<event>(
                executor_,
                event_options{.name = "turn to write"}
            );
            entry_of(own).turn = turn;
        }
        co_await turn->wait();
    }

    [[nodiscard]] boost::asio::awaitable<void> write_kept(const write_function& write_on)
    {
        std::vector<element> kept;
        {
            const std::lock_guard lock(mutex_);
            kept = std::exchange(entries_.front().kept, {});
            kept_bytes_ -= weight_of(kept);
        }
        if (!kept.empty())
            co_await write_on(kept);
    }

    // Ends the first ticket. Whether the next one has ended, too, and is to be written; if it has
    // not, its owner gets the turn.
    [[nodiscard]] bool go_on()
    {
        std::shared_ptr<event> turn;  // set and destroyed without the lock
        {
            const std::lock_guard lock(mutex_);
            kept_bytes_ -= sizeof(entry);
            entries_.pop_front();
            ++first_;
            if (entries_.empty())
                return false;
            if (entries_.front().has_ended)
                return true;
            turn = std::move(entries_.front().turn);
        }
        if (turn != nullptr)
            turn->set();
        return false;
    }

    [[nodiscard]] entry& entry_of(ticket which)
    {
        return entries_[static_cast<std::size_t>(which - first_)];
    }

    const boost::asio::any_io_executor executor_;
    const std::size_t most_kept_;  // in bytes
    semaphore reading_;
    std::mutex mutex_;
    std::deque<entry> entries_;   // of first_ and the tickets behind; guarded by mutex_
    ticket first_ = 0;            // guarded by mutex_
    std::size_t kept_bytes_ = 0;  // with the entries themselves; guarded by mutex_
};

}  // namespace sluice::pipeline
