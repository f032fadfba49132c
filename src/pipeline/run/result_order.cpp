// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/result_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

std::size_t weight_of(const std::vector<element>& elements) noexcept
{
    std::size_t sum = 0;
    for (const element& each : elements)
        sum += each.weight();
    return sum;
}

}  // namespace

result_order::result_order(const asio::any_io_executor& executor, std::size_t most_kept)
    : executor_(executor),
      most_kept_(most_kept),
      reading_(executor, {.permits = 1, .name = "turn to read"})
{
}

result_order::ticket result_order::open()
{
    const std::lock_guard lock(mutex_);
    entries_.emplace_back();
    kept_bytes_ += sizeof(entry);
    return first_ + (entries_.size() - 1);
}

asio::awaitable<void> result_order::write(
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

asio::awaitable<void> result_order::end(ticket own, const write_function& write_on)
{
    if (leave(own))
        co_return;
    co_await wait_for_turn(own);
    do
        co_await write_kept(write_on);
    while (go_on());
}

// False if it is the turn of this ticket, or if there is no room.
bool result_order::keep(ticket own, std::vector<element>& elements)
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
bool result_order::leave(ticket own)
{
    const std::lock_guard lock(mutex_);
    if (own == first_ || kept_bytes_ > most_kept_)
        return false;
    entry_of(own).has_ended = true;
    return true;
}

asio::awaitable<void> result_order::wait_for_turn(ticket own)
{
    std::shared_ptr<event> turn;
    {
        const std::lock_guard lock(mutex_);
        if (own == first_)
            co_return;
        turn = std::make_shared<event>(executor_, event_options{.name = "turn to write"});
        entry_of(own).turn = turn;
    }
    co_await turn->wait();
}

asio::awaitable<void> result_order::write_kept(const write_function& write_on)
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
bool result_order::go_on()
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

}  // namespace sluice::pipeline
