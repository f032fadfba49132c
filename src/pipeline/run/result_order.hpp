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
#include <memory>
#include <mutex>
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

    result_order(const boost::asio::any_io_executor& executor, std::size_t most_kept);

    // The turn to take from the input, as a permit.
    [[nodiscard]] auto turn_to_read() { return reading_.acquire(); }

    // For what was taken just now.
    [[nodiscard]] ticket open();

    // Gives a part of what the ticket becomes. Leaves the vector empty.
    [[nodiscard]] boost::asio::awaitable<void> write(
        ticket own,
        std::vector<element>& elements,
        const write_function& write_on
    );

    // There is no more.
    [[nodiscard]] boost::asio::awaitable<void> end(
        ticket own,
        const write_function& write_on
    );

private:
    struct entry
    {
        std::vector<element> kept;
        bool has_ended = false;
        std::shared_ptr<event> turn;  // null unless its owner waits for it
    };

    [[nodiscard]] bool keep(ticket own, std::vector<element>& elements);
    [[nodiscard]] bool leave(ticket own);
    [[nodiscard]] boost::asio::awaitable<void> wait_for_turn(ticket own);
    [[nodiscard]] boost::asio::awaitable<void> write_kept(const write_function& write_on);
    [[nodiscard]] bool go_on();

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
