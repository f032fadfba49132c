// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/permit.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

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
// of an element in the input. `Core` is the state of the input, a queue_core.
//
// Invariants, whenever the mutex is free:
// - Entry i is that of ticket first_ + i: no ticket below first_ has an entry any more.
// - Each entry before end_ owns a place of the output, so there are never more of them than that
//   has capacity, and filling never waits. That the place of a result that is left out, too, is
//   kept until its turn has come, keeps it so.
// - Unless a worker releases, the first entry before end_ is not finished.
// - As soon as fail() returns, no entry from end_ on has a place or a result, nor will one have
//   them: there the run ended, by a failure or a cancellation. What leaves is what one worker
//   alone would have given up to there.
// - failure_ is that of the ticket end_. The worker that releases the last entry before it throws
//   it, so
//   a failure is told only if one worker alone would have come to it.
// - An entry that is finished has its element, unless the function has taken that over. As soon
//   as the results before end_ have left and all entries behind are finished, those elements
//   return to the input, to its front and in order (S55). The input keeps room for as many as
//   there are entries, so the return takes no memory.
// One worker at a time releases, without the mutex, since that wakes other coroutines. Only the one
// that has finished the last entry gives elements back, and none is opened then.
template <class Core, class T>
class ordered_results
{
public:
    using ticket = std::uint64_t;
    using element_type = typename Core::element_type;

    // Without an input the function takes the elements over.
    explicit ordered_results(boost::intrusive_ptr<Core> input) noexcept
        : input_(std::move(input))
    {
    }

    ordered_results(const ordered_results&) = delete;
    ordered_results& operator=(const ordered_results&) = delete;

    ~ordered_results()
    {
        if (input_)
            input_->end_loan(lent_);
    }

    // A run begins: no worker runs. What one that has failed left is in the input.
    void begin_run() noexcept
    {
        const std::lock_guard lock(mutex_);
        end_ = no_end;
        failure_ = nullptr;
    }

    // Opens an entry behind all others; nothing after a failure. Strong.
    [[nodiscard]] std::optional<ticket> open(permit<T>&& place)
    {
        const std::lock_guard lock(mutex_);
        if (end_ != no_end)
            return std::nullopt;
        if (input_ && lent_ == entries_.size()) {
            input_->lend(1);
            ++lent_;
        }
        entries_.emplace_back();
        entries_.back().place = std::move(place);
        ++unfinished_;
        return first_ + (entries_.size() - 1);
    }

    // Takes back the last entry that was opened: there was no element for it.
    void take_back() noexcept
    {
        permit<T> place;  // goes after the lock
        std::unique_lock lock(mutex_);
        place = std::move(entries_.back().place);
        entries_.pop_back();
        --unfinished_;
        give_rest_back(lock);
    }

    // The result of a ticket, or nothing. Gives the failure to be thrown, if any.
    [[nodiscard]] std::exception_ptr finish(
        ticket which,
        std::optional<element_type>&& element,
        std::optional<T>&& result
    ) noexcept
    {
        std::unique_lock lock(mutex_);
        if (which < end_ && result)
            entry_of(which).result.emplace(std::move(*result));
        return end(which, std::move(element), lock);
    }

    // There is no result, and those behind it are dropped. Gives the failure to be thrown: this
    // one or null, if one before it is to come or has come.
    [[nodiscard]] std::exception_ptr fail(
        ticket which,
        std::optional<element_type>&& element,
        std::exception_ptr why
    ) noexcept
    {
        std::unique_lock lock(mutex_);
        if (which < end_) {
            end_ = which;  // first, so that nothing is opened
            failure_ = std::move(why);
            // The entries stay as long as this one is not finished.
            for (ticket dropped = which; dropped - first_ < entries_.size(); ++dropped)
                drop_result(entry_of(dropped), lock);
        }
        return end(which, std::move(element), lock);
    }

private:
    static constexpr ticket no_end = std::numeric_limits<ticket>::max();

    struct entry
    {
        permit<T> place;
        std::optional<element_type> element;  // nothing: not finished, or taken over
        std::optional<T> result;              // nothing: none yet, left out or dropped
        bool is_finished = false;
    };

    // What returns to the input.
    struct rest
    {
        std::deque<entry> entries;

        // The last first, as putting back in front wants it.
        template <class Accept>
        void give_back(Accept&& accept) noexcept
        {
            for (auto each = entries.rbegin(); each != entries.rend(); ++each)
                if (each->element)
                    accept(std::move(*each->element));
        }
    };

    [[nodiscard]] entry& entry_of(ticket which) noexcept
    {
        return entries_[static_cast<std::size_t>(which - first_)];
    }

    std::exception_ptr end(
        ticket which,
        std::optional<element_type>&& element,
        std::unique_lock<std::mutex>& lock
    ) noexcept
    {
        entry& own = entry_of(which);
        if (element)
            own.element.emplace(std::move(*element));
        own.is_finished = true;
        --unfinished_;
        return release(lock);
    }

    std::exception_ptr release(std::unique_lock<std::mutex>& lock) noexcept
    {
        if (is_releasing_)
            return nullptr;  // they see what has changed
        is_releasing_ = true;
        while (first_ < end_ && !entries_.empty() && entries_.front().is_finished) {
            entry next = std::move(entries_.front());
            entries_.pop_front();
            ++first_;
            lock.unlock();
            deliver(std::move(next));
            lock.lock();
        }
        is_releasing_ = false;
        std::exception_ptr failure = first_ == end_ ? std::exchange(failure_, nullptr)
                                                    : nullptr;
        give_rest_back(lock);
        return failure;
    }

    // If the run has ended early, nothing is to leave any more and no worker computes.
    void give_rest_back(std::unique_lock<std::mutex>& lock) noexcept
    {
        if (first_ != end_ || unfinished_ > 0 || entries_.empty())
            return;
        rest_.entries.swap(entries_);
        const std::size_t loan = input_ ? rest_.entries.size() : 0;
        lent_ -= loan;
        lock.unlock();
        if (input_)
            input_->take_back(rest_, loan);
        rest_.entries.clear();
        lock.lock();
    }

    // The result is destroyed, and the place given back, without the mutex.
    static void drop_result(entry& own, std::unique_lock<std::mutex>& lock) noexcept
    {
        permit<T> place = std::move(own.place);
        std::optional<T> result = std::move(own.result);
        own.result.reset();
        lock.unlock();
        result.reset();
        place.drop();
        lock.lock();
    }

    static void deliver(entry next)
    {
        if (next.result)
            next.place.fill(std::move(*next.result));
    }

    const boost::intrusive_ptr<Core> input_;
    std::mutex mutex_;
    std::deque<entry> entries_;  // guarded by mutex_, as all that follows
    ticket first_ = 0;
    ticket end_ = no_end;
    std::size_t unfinished_ = 0;  // entries
    std::size_t lent_ = 0;        // by the input; at least one for each entry
    std::exception_ptr failure_;
    bool is_releasing_ = false;
    rest rest_;  // of who gives it back
};

}  // namespace sluice::detail
