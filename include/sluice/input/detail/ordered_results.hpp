// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/permit.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace sluice::detail {

// Results that come in any order and leave in that of their tickets. A ticket is the position
// of an element in the input.
//
// Invariants, whenever the mutex is free:
// - Entry i is that of ticket first_ + i: no ticket below first_ has an entry any more.
// - Each entry owns a place of the output, so there are never more entries than that has
//   capacity, and filling never waits. That the place of a result that is left out, too, is kept
//   until its turn has come, keeps it so.
// - Unless somebody releases, the first entry is not finished.
// - As soon as fail() returns, no ticket from end_ on has an entry or will have one: there the
//   input ended, by a failure or a cancellation. What leaves is what one worker alone would have
//   given up to there.
// - failure_ is that of the ticket end_. Whoever releases the last entry before it throws it, so
//   a failure is told only if one worker alone would have come to it.
// One at a time releases, without the mutex, since that wakes whom we do not know.
template <class T>
class ordered_results
{
public:
    using ticket = std::uint64_t;

    // Opens an entry behind all others; nothing after a failure. Strong.
    [[nodiscard]] std::optional<ticket> open(permit<T>&& place)
    {
        const std::lock_guard lock(mutex_);
        if (end_ != no_end)
            return std::nullopt;
        entries_.emplace_back();
        entries_.back().place = std::move(place);
        return first_ + (entries_.size() - 1);
    }

    // Takes back the last entry that was opened: there was no element for it.
    void take_back(ticket which) noexcept
    {
        permit<T> place;  // goes after the lock
        const std::lock_guard lock(mutex_);
        if (which >= end_)
            return;
        place = std::move(entries_.back().place);
        entries_.pop_back();
    }

    // The result of a ticket, or nothing. Gives the failure to be thrown, if any.
    [[nodiscard]] std::exception_ptr finish(
        ticket which,
        std::optional<T>&& result
    ) noexcept
    {
        std::unique_lock lock(mutex_);
        if (which < end_) {
            entry& own = entries_[static_cast<std::size_t>(which - first_)];
            if (result)
                own.result.emplace(std::move(*result));
            own.is_finished = true;
        }
        return release(lock);
    }

    // There is no result, and those behind it are dropped. Gives the failure to be thrown: this
    // one or null, if one before it is to come or has come.
    [[nodiscard]] std::exception_ptr fail(ticket which, std::exception_ptr why) noexcept
    {
        std::unique_lock lock(mutex_);
        if (which < end_) {
            end_ = which;  // first, so that nothing is opened
            failure_ = std::move(why);
            while (first_ + entries_.size() > which)
                drop_last(lock);
        }
        return release(lock);
    }

private:
    static constexpr ticket no_end = std::numeric_limits<ticket>::max();

    struct entry
    {
        permit<T> place;
        std::optional<T> result;  // nothing: none yet, or left out
        bool is_finished = false;
    };

    std::exception_ptr release(std::unique_lock<std::mutex>& lock) noexcept
    {
        if (is_releasing_)
            return nullptr;  // they see what has changed
        is_releasing_ = true;
        while (!entries_.empty() && entries_.front().is_finished) {
            entry next = std::move(entries_.front());
            entries_.pop_front();
            ++first_;
            lock.unlock();
            deliver(std::move(next));
            lock.lock();
        }
        is_releasing_ = false;
        return first_ == end_ ? std::exchange(failure_, nullptr) : nullptr;
    }

    // The element is destroyed, and the place given back, without the mutex.
    void drop_last(std::unique_lock<std::mutex>& lock) noexcept
    {
        {
            const entry dropped = std::move(entries_.back());
            entries_.pop_back();
            lock.unlock();
        }
        lock.lock();
    }

    static void deliver(entry next)
    {
        if (next.result)
            next.place.fill(std::move(*next.result));
    }

    std::mutex mutex_;
    std::deque<entry> entries_;  // guarded by mutex_, as all that follows
    ticket first_ = 0;
    ticket end_ = no_end;
    std::exception_ptr failure_;
    bool is_releasing_ = false;
};

}  // namespace sluice::detail
