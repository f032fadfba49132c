// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/close_mode.hpp>
#include <sluice/queue/detail/queue_lists.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The state machine of a queue. It knows elements, waiters and closing, and nothing of
// executors or coroutines; tests drive it with waiters that write into a vector. Its
// invariants are in queue_lists.hpp.
//
//   open ──close──▶ closed ──▶ drained     elements and waiting producers leave first
template <class T, element_store<T> Store>
class queue_core : public queue_lists<T, Store>
{
    using base = queue_lists<T, Store>;

protected:
    using typename base::critical_section;

    using base::append_and_serve;
    using base::closed_;
    using base::comes_in_weighed;
    using base::conclude;
    using base::consumers_;
    using base::contents_;
    using base::deliver_to;
    using base::drop;
    using base::end_;
    using base::fail_all;
    using base::go_on_with;
    using base::has_last_attempt;
    using base::has_lost_producer;
    using base::held_by_head;
    using base::is_valid;
    using base::least;
    using base::make_room_without_lock;
    using base::mutex_;
    using base::note_quiet;
    using base::producers_;
    using base::quiet_;
    using base::serve;
    using base::serve_consumers;
    using base::serve_producers;
    using base::takes_on;
    using base::takes_pieces;

public:
    using element_type = T;
    using batch_type = typename Store::batch_type;
    using typename base::consumer;
    using typename base::producer;

    queue_core(Store store, const queue_limits& limits, std::string name)
        : base(std::move(store), limits), name_(std::move(name))
    {
    }

    // The fast path: one element, no waiter -------------------------------------------------

    [[nodiscard, gnu::always_inline]] attempt try_push(T&& element) noexcept
    {
        return try_push_any(std::move(element));
    }

    [[nodiscard, gnu::always_inline]] attempt try_push(const T& element) noexcept
    {
        if constexpr (std::is_nothrow_copy_constructible_v<T>)
            return try_push_any(element);
        else
            return attempt::unclear;
    }

    [[nodiscard, gnu::always_inline]] attempt try_pop(std::optional<T>& element) noexcept
    {
        mutex_.lock();
        if (!quiet_ || contents_.available(false) == 0)
            return pop_serve_unlock(element);
        const attempt tried = contents_.pop(element);
        mutex_.unlock();
        return tried;
    }

    // Starting operations -------------------------------------------------------------------

    [[nodiscard]] bool try_start(waiter& w) noexcept override
    {
        return w.list_ == producer::list ? try_start_producer(static_cast<producer&>(w))
                                         : try_start_consumer(static_cast<consumer&>(w));
    }

    [[nodiscard]] bool start(waiter& w, delivery how, wait_mode mode) noexcept override
    {
        return w.list_ == producer::list
                   ? start_producer(static_cast<producer&>(w), how, mode)
                   : start_consumer(static_cast<consumer&>(w), how, mode);
    }

    // A batch operation cut off after one flush: rows that did not go in stay with the
    // caller, elements that were taken stay in the waiter. It fails with the reason if rows are
    // left, or if nothing was taken.
    virtual void flush(producer& p) noexcept
    {
        critical_section section(*this);
        if (p.left() == 0)
            return;
        if (closed_)
            return p.fail(errc::queue_closed);
        const bool is_busy = !producers_.empty();
        append_and_serve(producers_, p, section);
        go_on_with(p, section);
        if (p.is_waiting())
            p.fail(is_busy ? errc::queue_busy : errc::queue_full);
        section.release(p);
        serve(section);
    }

    void flush(consumer& c) noexcept
    {
        critical_section section(*this);
        if (c.wanted() == 0)
            return;
        if (begins_pieces(c)) [[unlikely]] {
            make_room_without_lock(c);
            if (c.failed())
                return;
            if (begins_pieces(c))  // not of what comes meanwhile
                c.lower_to(std::min(contents_.available(closed_), c.wanted()));
        }
        const bool is_busy = !consumers_.empty();
        append_and_serve(consumers_, c, section);
        go_on_with(c, section);
        if (c.is_waiting()) {
            contents_.note_delivered(c);
            if (c.held() == 0)
                c.fail(is_busy ? errc::queue_busy : errc::queue_empty);
        }
        section.release(c);
        serve(section);
    }

    // Places --------------------------------------------------------------------------------

    // Takes so many, or says why not. Strong.
    [[nodiscard]] error_code try_take_places(std::size_t count)
    {
        const std::lock_guard lock(mutex_);
        if (closed_)
            return errc::queue_closed;
        if (count > capacity())
            return errc::invalid_argument;
        if (!producers_.empty())
            return errc::queue_busy;
        if (!contents_.has_places(count))
            return errc::queue_full;
        contents_.take_places(count, held_by_head());
        note_quiet();
        return {};
    }

    [[nodiscard]] bool fill_place(T&& element) override
    {
        critical_section section(*this);
        if (orphaned_)
            return false;
        contents_.fill_place(std::move(element));
        serve(section);
        return true;
    }

    void free_places(std::size_t count) noexcept override
    {
        critical_section section(*this);
        if (orphaned_)
            return;
        contents_.free_places(count);
        serve(section);
    }

    // Loans ---------------------------------------------------------------------------------

    // What consumers have and may bring back: from now on there is room for `count` more. Strong.
    void lend(std::size_t count)
    {
        const std::lock_guard lock(mutex_);
        contents_.lend(count, held_by_head());
        note_quiet();
    }

    void end_loan(std::size_t count) noexcept
    {
        const std::lock_guard lock(mutex_);
        contents_.end_loan(count);
        note_quiet();
    }

    // Takes back what `Holder` has of a loan, to the front and in order, and ends the loan. In a
    // queue that is destroyed the elements stay with the holder.
    template <class Holder>
    void take_back(Holder& holder, std::size_t loan) noexcept
    {
        critical_section section(*this);
        contents_.end_loan(loan);
        if (orphaned_)
            return;
        contents_.take_back(holder);
        serve(section);
    }

    // What the program gets of a batch that was delivered. If that cannot be made, the elements
    // are as if the operation had been cancelled (S9). Otherwise they are gone for good.
    [[nodiscard]] batch_type make_batch(consumer& c)
    {
        if constexpr (base::contents_type::makes_batches_safely) {
            return batch_type(std::move(c.batch()));
        } else {
            const std::size_t loan = c.held();
            try {
                batch_type made(std::move(c.batch()));
                end_loan(loan);
                return made;
            } catch (...) {
                take_back(c, loan);
                throw;
            }
        }
    }

    // Closing -------------------------------------------------------------------------------

    void close(const closing& how) noexcept override
    {
        critical_section section(*this);
        note_end(how);
        closed_ = true;
        if (how.mode == close_mode::cancel_pending)
            fail_all(producers_, errc::queue_closed, section);
        serve(section);
    }

    // Ends all operations that wait, or those of one side.

    void cancel_all(error_code why) noexcept
    {
        critical_section section(*this);
        fail_all(producers_, why, section);
        fail_all(consumers_, why, section);
        serve(section);
    }

    void cancel_producers(error_code why) noexcept
    {
        critical_section section(*this);
        fail_all(producers_, why, section);
        serve(section);
    }

    void cancel_consumers(error_code why) noexcept
    {
        critical_section section(*this);
        fail_all(consumers_, why, section);
        serve(section);
    }

    // The queue is being destroyed: resolves all waiters and destroys the elements.
    void shut_down() noexcept
    {
        std::optional<Store> discarded;  // destroyed after the lock is released
        critical_section section(*this);
        if (!closed_)
            end_.by = closer::destructor;
        closed_ = true;
        orphaned_ = true;
        contents_.free_all_places();
        fail_all(producers_, errc::queue_closed, section);
        serve(section);
        while (section.is_cut_short()) {
            section.pause();
            serve(section);
        }
        discarded.emplace(contents_.take_store());
    }

    // Memory --------------------------------------------------------------------------------

    // Drops all that is stored, and returns how many those are. Strong.
    std::size_t clear()
    {
        std::optional<decltype(contents_.clear(0))>
            discarded;  // destroyed without the lock
        critical_section section(*this);
        const std::size_t count = contents_.size();
        discarded.emplace(contents_.clear(held_by_head()));
        serve(section);
        return count;
    }

    // Strong.
    void shrink_to_fit()
    {
        std::optional<decltype(contents_.shrink_to_fit(0))> unused;  // as above
        const std::lock_guard lock(mutex_);
        unused.emplace(contents_.shrink_to_fit(held_by_head()));
    }

    // Observers -----------------------------------------------------------------------------

    [[nodiscard]] std::size_t size() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return contents_.size();
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return contents_.capacity(); }

    [[nodiscard]] bool is_closed() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return closed_;
    }

    [[nodiscard]] bool is_orphaned() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return orphaned_;
    }

    [[nodiscard]] closable::ending how_it_ended() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return {end_, contents_.size()};
    }

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }

    [[nodiscard]] std::string describe() const override
    {
        return "queue '" + name_ + "'";
    }

    [[nodiscard]] queue_stats stats() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return {
            .size = contents_.size(),
            .capacity = contents_.capacity(),
            .held = held_by_head(),
            .places = contents_.places(),
            .waiting_producers = producers_.size(),
            .waiting_consumers = consumers_.size(),
            .high_water = contents_.high_water(),
            .enqueued = contents_.enqueued(),
            .dequeued = contents_.dequeued(),
            .returned = contents_.returned(),
            .closed = closed_,
            .weight = contents_.weight(),
            .weight_limit = contents_.limits().weight,
            .dropped = contents_.dropped(),
            .end = end_
        };
    }

    // How many were dropped since construction.
    [[nodiscard]] std::uint64_t dropped() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return contents_.dropped();
    }

protected:
    // The start of an operation in its critical section.
    [[gnu::always_inline]] void begin(
        producer& p,
        wait_mode& mode,
        critical_section& section
    ) noexcept
    {
        if ((p.failed() && !has_last_attempt(p, mode)) || p.left() == 0)
            section.decide(p);
        else if (closed_)
            section.decide_failed(p, errc::queue_closed);
        else if (p.asks_for_place() && p.left() > capacity())
            section.decide_failed(p, errc::invalid_argument);
        else
            append_and_serve(producers_, p, section);
    }

private:
    // Closing -------------------------------------------------------------------------------

    // The first counts, and the first who cuts it off counts more. But a stop that comes when
    // nothing more can come cuts nothing off. Of a queue that is registered twice the first mode
    // says whether the stop is a planned end; a runner registers its queue, too.
    void note_end(const closing& how) noexcept
    {
        const bool is_complete = closed_ && producers_.empty() && contents_.places() == 0;
        const bool is_told = how.scope != nullptr && how.scope == stopped_by_;
        const bool cuts_off = how.cuts_off() && !(how.is_stop() && is_complete);
        if (!closed_ || (cuts_off && !end_.cut_off && !is_told)) {
            end_ = {how.by, cuts_off, how.cause};
            stopped_by_ = how.scope;
        }
    }

    // Starting ------------------------------------------------------------------------------

    // Completes at once, without being appended, or not at all.
    [[nodiscard]] bool try_start_producer(producer& p) noexcept
    {
        critical_section section(*this);
        if (closed_ || !producers_.empty() || p.left() == 0 ||
            p.left() > base::rows_of_piece ||
            (p.left() > contents_.room() && !(p.left() == 1 && comes_in_weighed(p))))
            return false;
        try {
            contents_.accept_rows(p, held_by_head());
        } catch (...) {
            p.fail(errc::element_failed, std::current_exception());
        }
        if (!consumers_.empty())
            serve(section);
        note_quiet();
        return true;
    }

    [[nodiscard]] bool try_start_consumer(consumer& c) noexcept
    {
        critical_section section(*this);
        const std::size_t available = contents_.available(closed_);
        if (!consumers_.empty() || c.wanted() == 0 || available < least(c) ||
            !is_valid(c) || takes_on(c, available) || has_lost_producer() ||
            takes_pieces(c, available))
            return false;
        deliver_to(c, std::min(available, c.missing()));
        if (!producers_.empty())
            serve(section);
        return true;
    }

    [[nodiscard]] bool begins_pieces(const consumer& c) const noexcept
    {
        return consumers_.empty() && takes_pieces(c, contents_.available(closed_));
    }

    [[nodiscard]] bool start_producer(producer& p, delivery how, wait_mode mode) noexcept
    {
        critical_section section(*this);
        begin(p, mode, section);
        go_on_with(p, section);
        return conclude(p, how, mode, section);
    }

    [[nodiscard]] bool start_consumer(consumer& c, delivery how, wait_mode mode) noexcept
    {
        critical_section section(*this);
        if (!c.failed() && begins_pieces(c)) [[unlikely]]
            make_room_without_lock(c);
        if (c.failed() && !has_last_attempt(c, mode))
            section.decide(c);
        else if (c.wanted() == 0)
            c.try_claim() ? section.decide(c) : drop(c);
        else if (!is_valid(c))
            section.decide_failed(c, errc::invalid_argument);
        else
            append_and_serve(consumers_, c, section);
        go_on_with(c, section);
        return conclude(c, how, mode, section);
    }

    // The fast path -------------------------------------------------------------------------

    // With a waiter it may succeed: at capacity 0 if somebody waits on the other side, elsewhere
    // if the first in its own list is a branch that was decided elsewhere, and where more than the
    // capacity says what comes in.
    [[nodiscard]] attempt fail_attempt_unlock(
        const waiter_list& list,
        const waiter_list& others
    ) noexcept
    {
        const bool waits = !closed_ && others.empty() &&
                           (list.empty() || !list.front().lost_claim()) &&
                           contents_.limits().has_capacity_only;
        mutex_.unlock();
        return waits ? attempt::must_wait : attempt::unclear;
    }

    // Moved from, or copied, only if there is room.
    template <class Element>
    [[gnu::always_inline]] attempt try_push_any(Element&& element) noexcept
    {
        mutex_.lock();
        if (!quiet_ || contents_.room() == 0)
            return push_serve_unlock(std::forward<Element>(element));
        const attempt tried = contents_.push(std::forward<Element>(element));
        mutex_.unlock();
        return tried;
    }

    // Somebody waits, or has to. Out of line, so that the fast path stays short.
    template <class Element>
    [[gnu::noinline]] attempt push_serve_unlock(Element&& element) noexcept
    {
        if (closed_ || !producers_.empty() || contents_.room() == 0)
            return fail_attempt_unlock(producers_, consumers_);
        critical_section section(*this, std::adopt_lock);
        try {
            contents_.reserve(1, held_by_head());  // (Q4)
        } catch (...) {
            return attempt::unclear;
        }
        const attempt tried = contents_.push(std::forward<Element>(element));
        serve_consumers(section);
        return tried;
    }

    [[gnu::noinline]] attempt pop_serve_unlock(std::optional<T>& element) noexcept
    {
        if (closed_ || !consumers_.empty() || contents_.available(false) == 0 ||
            has_lost_producer())
            return fail_attempt_unlock(consumers_, producers_);
        critical_section section(*this, std::adopt_lock);
        const attempt tried = contents_.pop(element);
        if (contents_.is_weighed() && tried == attempt::done)
            contents_.note_gone(*element);
        serve_producers(section);
        return tried;
    }

    const std::string name_;
    bool orphaned_ = false;             // guarded by mutex_
    const void* stopped_by_ = nullptr;  // guarded by mutex_; see note_end()
};

}  // namespace sluice::detail
