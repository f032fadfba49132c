// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/queue/detail/queue_contents.hpp>
#include <sluice/queue/detail/queue_serving.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue_end.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace sluice::detail {

// Who waits in a queue and what it stores, and how an operation begins and ends there. All of it is
// guarded by the mutex of the queue, for which a critical section stands.
//
// (Q1) Only the head of each wait list is served, producers first, then consumers, until
//      nothing moves (serve); so only the heads can be partly done.
// (Q2) After every critical section neither head can move, unless it was cut short (H5).
// (Q3) size + places <= capacity and weight <= weight limit, but for elements that were
//      returned. Weight keeps nothing out while a consumer could not move without it, and nothing
//      that comes into a place.
// (Q4) The store has room for what the first consumer holds, for the places that are kept and
//      for what is lent, so that neither putting back nor filling allocates.
// (Q5) enqueued + returned == dequeued + dropped + size + held.
// (Q6) Closed, no producer waiting, no place kept and fewer elements than the first consumer
//      asks for: it is resolved, because nothing more can come.
//
// Capacity 0 is the rendezvous: an element goes from a producer straight to a consumer, and
// the store has only what was returned.
template <class T, element_store<T> Store>
class queue_lists
{
    using serving = queue_serving<queue_lists>;
    friend serving;

public:
    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;
    using contents_type = queue_contents<T, Store>;
    using critical_section = wait_hub::critical_section;

    queue_lists(Store store, const queue_limits& limits)
        : contents_(std::move(store), limits)
    {
        note_quiet();
    }

    [[nodiscard]] contents_type& contents() noexcept { return contents_; }
    [[nodiscard]] const contents_type& contents() const noexcept { return contents_; }
    [[nodiscard]] waiter_list& producers() noexcept { return producers_; }
    [[nodiscard]] waiter_list& consumers() noexcept { return consumers_; }
    [[nodiscard]] const close_record& record() const noexcept { return record_; }

    // If set, the queue is open, nothing waits, no place is kept and nothing is weighed.
    [[nodiscard]] bool is_quiet() const noexcept { return quiet_; }

    void note_quiet() noexcept
    {
        quiet_ = !record_.is_closed() && producers_.empty() && consumers_.empty() &&
                 contents_.is_quiet();
    }

    [[nodiscard]] std::size_t held_by_head() const noexcept
    {
        return consumers_.empty()
                   ? 0
                   : static_cast<const consumer&>(consumers_.front()).held();
    }

    [[nodiscard]] queue_stats stats() const noexcept
    {
        queue_stats stats = contents_.stats();
        stats.held = held_by_head();
        stats.waiting_producers = producers_.size();
        stats.waiting_consumers = consumers_.size();
        stats.closed = record_.is_closed();
        stats.end = record_.end();
        return stats;
    }

    void serve(critical_section& section) noexcept
    {
        if (!producers_.empty() || !consumers_.empty())
            serving(*this, section).serve();
        note_quiet();
    }

    // Beginning -----------------------------------------------------------------------------

    // Before begin(), for a batch that takes pieces: takes the memory for it, without the lock. It
    // may have failed then, or its time may be over.
    void prepare(consumer& c, critical_section& section, wait_mode mode) noexcept
    {
        if (!begins_pieces(c)) [[likely]]
            return;
        if (mode == wait_mode::tries)  // not of what comes meanwhile
            c.lower_to(std::min(available(), c.wanted()));
        serving(*this, section).make_room_without_lock(c);
    }

    // Appended, unless it is over at once, and served.

    void begin(producer& p, critical_section& section) noexcept
    {
        if (p.left() == 0)
            p.try_claim() ? section.decide(p) : section.drop(p);
        else if (record_.is_closed())
            section.decide_failed(p, errc::queue_closed);
        else if (p.asks_for_place() && p.left() > contents_.capacity())
            section.decide_failed(p, errc::invalid_argument);
        else
            append_and_serve(producers_, p, section);
    }

    void begin(consumer& c, critical_section& section) noexcept
    {
        if (c.wanted() == 0)
            c.try_claim() ? section.decide(c) : section.drop(c);
        else if (!contents_.fits(c))
            section.decide_failed(c, errc::invalid_argument);
        else
            append_and_serve(consumers_, c, section);
    }

    // The same where an enqueue does not wait: what does not fit drops others, or is dropped, after
    // consumers that wait have taken what they can. Only a request for a place waits there. It
    // takes what consumers make free, and an enqueue that comes meanwhile needs nothing of that, so
    // it takes nothing from it.
    void begin_dropping(
        producer& p,
        dropped_elements<T>& dropped,
        critical_section& section
    ) noexcept
    {
        if (!quiet_) {
            begin(p, section);
            if (!p.is_waiting())
                return;
        }
        serving(*this, section).accept_or_drop(p, dropped);
    }

    // Completes at once, without being appended, or not at all.

    [[nodiscard, gnu::always_inline]] bool try_begin(
        producer& p,
        critical_section& section
    ) noexcept
    {
        if (record_.is_closed() || !producers_.empty() || p.left() == 0 ||
            p.left() > rows_of_piece ||
            (p.left() > contents_.room() && !(p.left() == 1 && comes_in(p))))
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

    [[nodiscard, gnu::always_inline]] bool try_begin(
        consumer& c,
        critical_section& section
    ) noexcept
    {
        const std::size_t count = available();
        if (!consumers_.empty() || c.wanted() == 0 || count < c.least() ||
            !contents_.fits(c) || takes_on(c, count) || has_lost_producer() ||
            takes_pieces(c, count))
            return false;
        contents_.deliver(c, std::min(count, c.missing()));
        if (!producers_.empty())
            serve(section);
        return true;
    }

    // Of one that was served once and only tries: rows that did not go in stay with the caller,
    // elements that were taken stay in the waiter. It fails with the reason if rows are left, or if
    // nothing was taken.
    void cut_off(waiter& target, critical_section& section) noexcept
    {
        if (target.list_ == producer::list) {
            target.fail(
                is_first(producers_, target) ? errc::queue_full : errc::queue_busy
            );
        } else {
            const auto& c = static_cast<const consumer&>(target);
            contents_.note_delivered(c);
            if (c.held() == 0)
                target.fail(
                    is_first(consumers_, target) ? errc::queue_empty : errc::queue_busy
                );
        }
        section.decide(target);
        serve(section);
    }

    // Takes so many places, or says why not. Strong.
    [[nodiscard]] error_code try_take_places(std::size_t count, critical_section& section)
    {
        drop_lost_producers(section);
        if (record_.is_closed())
            return errc::queue_closed;
        if (count > contents_.capacity())
            return errc::invalid_argument;
        if (!producers_.empty())
            return errc::queue_busy;
        if (!contents_.has_places(count))
            return errc::queue_full;
        contents_.take_places(count, held_by_head());
        note_quiet();
        return {};
    }

    // One element without a waiter, in a queue that is not quiet. If can_push() or can_pop() is
    // `done`, push() or pop() may follow, in a section.

    [[nodiscard]] attempt can_push() const noexcept
    {
        return record_.is_closed() || !producers_.empty() || contents_.is_full()
                   ? without_success(producers_, consumers_)
                   : attempt::done;
    }

    [[nodiscard]] attempt can_pop() const noexcept
    {
        return record_.is_closed() || !consumers_.empty() || available() == 0 ||
                       has_lost_producer()
                   ? without_success(consumers_, producers_)
                   : attempt::done;
    }

    // Moved from, or copied, only if it goes in.
    template <class Element>
    [[gnu::always_inline]] attempt push(
        Element&& element,
        critical_section& section
    ) noexcept
    {
        try {
            contents_.reserve(1, held_by_head());  // (Q4)
        } catch (...) {
            return attempt::unclear;
        }
        const attempt tried = contents_.push(std::forward<Element>(element));
        serving(*this, section).serve_consumers();
        quiet_ = consumers_.empty() && contents_.is_quiet();
        return tried;
    }

    [[gnu::always_inline]] attempt pop(
        std::optional<T>& element,
        critical_section& section
    ) noexcept
    {
        const attempt tried = contents_.pop(element);
        if (contents_.is_weighed() && tried == attempt::done)
            contents_.note_gone(*element);
        serving(*this, section).serve_producers();
        quiet_ = producers_.empty() && contents_.is_quiet();
        return tried;
    }

    // Ending --------------------------------------------------------------------------------

    void close(const closing& how, critical_section& section) noexcept
    {
        drop_lost_producers(section);
        record_.note(how, producers_.empty() && contents_.places() == 0);
        if (how.mode == close_mode::cancel_pending)
            section.end_in_pieces(producers_, errc::queue_closed);
        serve(section);
    }

    // See the members of wait_hub of the same names.

    void withdraw(waiter& target) noexcept
    {
        if (target.list_ == consumer::list)
            contents_.give_back(static_cast<consumer&>(target));
    }

    [[nodiscard]] bool reclaim(waiter& target) noexcept
    {
        return target.list_ == consumer::list
                   ? contents_.reclaim(static_cast<consumer&>(target), held_by_head())
                   : contents_.reclaim(static_cast<producer&>(target));
    }

    // Of consumers only the first holds something, or may take what is there.
    [[nodiscard]] bool complete_in_part(
        waiter& target,
        critical_section& section
    ) noexcept
    {
        if (!is_first(consumers_, target))
            return false;
        auto& c = static_cast<consumer&>(target);
        if (c.kind() != demand::linger || c.held() + available() == 0)
            return false;
        serving(*this, section).complete(c, std::min(available(), c.missing()));
        serve(section);
        return true;
    }

    // Rows that are in stay in.
    [[nodiscard]] static bool has_effect(const waiter& target) noexcept
    {
        return target.list_ == producer::list &&
               static_cast<const producer&>(target).accepted() > 0;
    }

private:
    static constexpr bool whole_batches = Store::whole_batches;

    // As many rows go in without others being let in between.
    static constexpr std::size_t rows_of_piece = wait_hub::steps_of_piece / 2;

    [[nodiscard]] std::size_t available() const noexcept
    {
        return contents_.available(record_.is_closed());
    }

    // A branch that was decided elsewhere does not wait, but may be linked for a while. Those
    // behind it may move.
    void drop_lost_producers(critical_section& section) noexcept
    {
        while (has_lost_producer()) {
            section.drop(producers_.front());
            serve(section);
        }
    }

    [[nodiscard]] bool is_drained() const noexcept
    {
        return record_.is_closed() && producers_.empty() && contents_.places() == 0;
    }

    [[nodiscard]] static bool is_first(const waiter_list& list, const waiter& w) noexcept
    {
        return !list.empty() && &list.front() == &w;
    }

    // The first of a list may begin if something fits in or is there; behind others it cannot
    // move, and then nothing else can (Q2). But a branch of a select may be decided elsewhere,
    // and at capacity 0 those behind may have met their counterpart.
    void append_and_serve(
        waiter_list& list,
        waiter& target,
        critical_section& section
    ) noexcept
    {
        const bool was_empty = list.empty();
        section.append(list, target);
        quiet_ = false;
        if (contents_.capacity() != 0 && list.front().claim_ == nullptr &&
            !(was_empty &&
              (&list == &producers_ ? !contents_.is_full() || contents_.is_weighed()
                                    : record_.is_closed() || available() > 0)))
            return;
        serve(section);
        if (section.is_cut_short() && is_first(list, target)) [[unlikely]]
            section.go_on_with(target);
    }

    // With a waiter an attempt may succeed that failed without: at capacity 0 if the other side
    // waits, elsewhere if the first in its own list is a branch that was decided elsewhere, and
    // where more than the capacity says what comes in.
    [[nodiscard]] attempt without_success(
        const waiter_list& list,
        const waiter_list& others
    ) const noexcept
    {
        const bool must_wait = !record_.is_closed() && others.empty() &&
                               (list.empty() || !list.front().lost_claim()) &&
                               contents_.has_capacity_only();
        return must_wait ? attempt::must_wait : attempt::unclear;
    }

    // A branch that was decided elsewhere is first among the producers, so those behind it may
    // be able to move already, and go before a consumer that comes now.
    [[nodiscard]] bool has_lost_producer() const noexcept
    {
        return !producers_.empty() && producers_.front().lost_claim();
    }

    // Whether the next row may come in, or the places that are asked for.
    [[nodiscard]] bool comes_in(const producer& p) const noexcept
    {
        return contents_.room() >= p.least() ||
               (contents_.is_weighed() &&
                contents_.lets_in_weighed(p, is_missing_in_batch()));
    }

    // A batch that has to be stored as a whole before it can leave is let in whatever it weighs.
    [[nodiscard]] bool is_missing_in_batch() const noexcept
    {
        if (!whole_batches || consumers_.empty())
            return false;
        const auto& c = static_cast<const consumer&>(consumers_.front());
        return !c.lost_claim() && available() < c.least();
    }

    // At capacity 0 what was returned is in front, and the rest is with the producers (S5).
    [[nodiscard]] bool takes_on(const consumer& c, std::size_t count) const noexcept
    {
        return contents_.capacity() == 0 && c.kind() == demand::some && count > 0 &&
               count < c.missing() && !producers_.empty();
    }

    // Of `count` elements `c` would take more than one piece. A sorted batch never does, because
    // nothing may come between its elements (T9).
    [[nodiscard]] static bool takes_pieces(const consumer& c, std::size_t count) noexcept
    {
        return !whole_batches && count > wait_hub::steps_of_piece &&
               c.missing() > wait_hub::steps_of_piece;
    }

    [[nodiscard]] bool begins_pieces(const consumer& c) const noexcept
    {
        return consumers_.empty() && takes_pieces(c, available());
    }

    contents_type contents_;
    waiter_list producers_;
    waiter_list consumers_;
    close_record record_;
    bool quiet_ = false;
};

}  // namespace sluice::detail
