// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/place_keeper.hpp>
#include <sluice/queue/detail/queue_contents.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace sluice::detail {

// Who waits in a queue, and the rules by which they are served.
//
// (Q1) Only the head of each wait list is served, producers first, then consumers, until
//      nothing moves (serve); so only the heads can be partly done.
// (Q2) After every critical section neither head can move, unless it was cut short (H5).
// (Q3) size + places <= capacity and weight <= weight limit, but for elements that were put
//      back. Weight keeps nothing out while a consumer could not move without it, and nothing
//      that comes into a place.
// (Q4) The store has room for what the first consumer holds, for the places that are kept and
//      for what is lent, so that neither putting back nor filling allocates.
// (Q5) enqueued + returned == dequeued + dropped + size + held.
// (Q6) Closed, no producer waiting, no place kept and fewer elements than the first consumer
//      asks for: it is resolved, because nothing more can come.
//
// Capacity 0 is the rendezvous: an element goes from a producer straight to a consumer, and
// the store has only what was put back.
template <class T, element_store<T> Store>
class queue_lists : public place_keeper<T>
{
    using base = place_keeper<T>;

    using base::append;
    using base::collect_from;
    using base::home_context;

protected:
    using base::mutex_;

    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;
    using contents_type = queue_contents<T, Store>;
    using critical_section = wait_hub::critical_section;

    using base::drop;

    queue_lists(Store store, const queue_limits& limits)
        : contents_(std::move(store), limits)
    {
        note_quiet();
    }

    // Serving -------------------------------------------------------------------------------

    // As many rows go in without others being let in between.
    static constexpr std::size_t rows_of_piece = wait_hub::steps_of_piece / 2;

    void serve(critical_section& section) noexcept override
    {
        // Only consumers that moved can have made room for another producer.
        do {
            if (contents_.capacity() == 0)
                rendezvous(section);
            else
                serve_list<producer>(producers_, section);
        } while (serve_list<consumer>(consumers_, section) &&
                 !(producers_.empty() && consumers_.empty()));
        note_quiet();
    }

    // The same in an open queue where nobody else can move, but for branches that have lost
    // already: one element has come, no producer waits.
    void serve_consumers(critical_section& section) noexcept
    {
        serve_list<consumer>(consumers_, section);
        quiet_ = consumers_.empty() && contents_.is_quiet();
    }

    // One element has gone, no consumer waits.
    void serve_producers(critical_section& section) noexcept
    {
        serve_list<producer>(producers_, section);
        quiet_ = producers_.empty() && contents_.is_quiet();
    }

    void note_quiet() noexcept
    {
        quiet_ = !closed_ && producers_.empty() && consumers_.empty() &&
                 contents_.is_quiet();
    }

    // Wait lists ----------------------------------------------------------------------------

    // The first of a list may begin if something fits in or is there; behind others it cannot
    // move, and then nothing else can (Q2). But a branch of a select may be decided elsewhere,
    // and at capacity 0 those behind may meet somebody.
    void append_and_serve(
        waiter_list& list,
        waiter& target,
        critical_section& section
    ) noexcept
    {
        const bool is_first = list.empty();
        append(list, target);
        quiet_ = false;
        if (contents_.capacity() == 0 || list.front().claim_ != nullptr ||
            (is_first &&
             (&list == &producers_ ? contents_.room() > 0 || contents_.is_weighed()
                                   : closed_ || contents_.available(false) > 0)))
            serve(section);
    }

    void fail_all(waiter_list& list, error_code why, critical_section& section) noexcept
    {
        while (!list.empty()) {
            waiter& next = list.front();
            if (!next.try_claim()) {
                drop(next);
                continue;
            }
            withdraw(next);
            section.decide_failed(next, why);
        }
    }

    // A branch that was decided elsewhere is first among the producers, so those behind it may
    // be able to move already, and go before a consumer that comes now.
    [[nodiscard]] bool has_lost_producer() const noexcept
    {
        return !producers_.empty() && producers_.front().lost_claim();
    }

    // Consumers -----------------------------------------------------------------------------

    // How many elements must be available for the operation to complete.
    [[nodiscard]] static std::size_t least(const consumer& c) noexcept
    {
        if (c.kind() == demand::some)
            return c.held() > 0 ? 0 : 1;
        return c.missing();
    }

    // At capacity 0 what was put back is in front, and the rest is with the producers (S5).
    [[nodiscard]] bool takes_on(const consumer& c, std::size_t available) const noexcept
    {
        return contents_.capacity() == 0 && c.kind() == demand::some && available > 0 &&
               available < c.missing() && !producers_.empty();
    }

    // What must be stored at the same time must fit in.
    [[nodiscard]] bool is_valid(const consumer& c) const noexcept
    {
        return !Store::whole_batches || c.kind() == demand::some ||
               c.wanted() <= contents_.capacity();
    }

    [[nodiscard]] std::size_t held_by_head() const noexcept
    {
        return consumers_.empty()
                   ? 0
                   : static_cast<const consumer&>(consumers_.front()).held();
    }

    // Producers -----------------------------------------------------------------------------

    // Whether the next row comes in although there is no room(): where elements are weighed.
    [[nodiscard]] bool comes_in_weighed(const producer& p) const noexcept
    {
        return contents_.is_weighed() && contents_.has_vacancy() &&
               (contents_.weight_allows(p) || is_missing_in_batch());
    }

    // A batch that has to be stored as a whole before it can leave is let in whatever it weighs.
    [[nodiscard]] bool is_missing_in_batch() const noexcept
    {
        if (!Store::whole_batches || consumers_.empty())
            return false;
        const auto& c = static_cast<const consumer&>(consumers_.front());
        return !c.lost_claim() && contents_.available(closed_) < least(c);
    }

    void deliver_to(consumer& c, std::size_t count) noexcept
    {
        try {
            contents_.take(c, count);
            contents_.note_delivered(c);
        } catch (...) {
            fail_with_current_exception(c);
        }
    }

    void fail_with_current_exception(consumer& c) noexcept
    {
        contents_.give_back(c);
        c.fail(errc::element_failed, std::current_exception());
    }

    // Goes on with an operation that has begun in this critical section, unless others are first.
    void go_on_with(waiter& target, critical_section& section) noexcept
    {
        if (!section.is_cut_short()) [[likely]]
            return;
        const waiter_list& list = target.list_ == producer::list ? producers_
                                                                 : consumers_;
        if (target.is_waiting() && &target == &list.front())
            section.go_on_with(target);
    }

    // Of what there is `c` would take more than one piece. A sorted batch never does, because
    // nothing may come between its elements (T9).
    [[nodiscard]] static bool takes_pieces(
        const consumer& c,
        std::size_t available
    ) noexcept
    {
        return !Store::whole_batches && available > wait_hub::steps_of_piece &&
               c.missing() > wait_hub::steps_of_piece;
    }

    // For one that takes pieces, before it waits: takes the memory for what there is, without the
    // lock, because a vector that grows moves all its elements. It may have failed then.
    void make_room_without_lock(consumer& c) noexcept
    {
        const std::size_t count = std::min(contents_.available(closed_), c.missing());
        mutex_.unlock();
        std::exception_ptr failure;
        try {
            c.make_room(count);
        } catch (...) {
            failure = std::current_exception();
        }
        mutex_.lock();
        if (failure)
            c.fail(errc::element_failed, std::move(failure));
    }

    // All guarded by mutex_, but for the capacity.
    contents_type contents_;
    waiter_list producers_;
    waiter_list consumers_;
    queue_end end_;  // what a consumer is told after the drain
    bool closed_ = false;
    // If set, the queue is open, nobody waits, no place is kept and nothing is weighed.
    bool quiet_ = false;

private:
    enum class step : unsigned char
    {
        blocked,
        progressed,
        finished
    };

    template <class Waiter>
    bool serve_list(waiter_list& list, critical_section& section) noexcept
    {
        // Producers leave steps for those that wait for what they bring.
        constexpr std::size_t kept = Waiter::list == producer::list
                                         ? wait_hub::steps_of_piece - rows_of_piece
                                         : 0;
        bool moved = false;
        step last = step::finished;
        while (last == step::finished && !list.empty()) {
            if (!section.has_steps(kept)) [[unlikely]] {
                section.cut_short();
                return false;
            }
            last = serve_head(static_cast<Waiter&>(list.front()), section);
            moved = moved || last != step::blocked;
            section.note_steps(1);
        }
        return moved;
    }

    step serve_head(producer& p, critical_section& section) noexcept
    {
        if (p.lost_claim())
            return drop_branch(p);
        if (contents_.room() < p.least() && !comes_in_weighed(p))
            return step::blocked;
        if (!p.try_claim())
            return drop_branch(p);
        const std::size_t before = p.left();
        try {
            contents_.accept_rows(p, held_by_head(), rows_of_piece);
        } catch (...) {
            section.decide_failed(p, errc::element_failed, std::current_exception());
            return step::finished;
        }
        section.note_steps(before - p.left());
        if (p.left() > 0)
            return contents_.is_weighed() || before > rows_of_piece ? step::finished
                                                                    : step::progressed;
        section.decide(p);
        return step::finished;
    }

    step serve_head(consumer& c, critical_section& section) noexcept
    {
        if (c.lost_claim())
            return drop_branch(c);
        const std::size_t available = contents_.available(closed_);
        if (takes_pieces(c, available)) [[unlikely]]
            return hold_piece(c, available, section);
        if (takes_on(c, available))
            return hold(c, available, section);
        if (available >= least(c))
            return complete(c, std::min(available, c.missing()), section);
        if (closed_ && producers_.empty() && contents_.places() == 0)
            return resolve_short(c, section);
        if (available == 0)
            return step::blocked;
        if (c.kind() == demand::linger && !c.linger())
            return complete(c, available, section);
        if (Store::whole_batches)
            return step::blocked;
        return hold(c, available, section);
    }

    // The first consumer gets all it asked for.
    step complete(consumer& c, std::size_t count, critical_section& section) noexcept
    {
        if (!c.try_claim())
            return drop_branch(c);
        deliver_to(c, count);
        section.note_steps(count);
        section.decide(c);
        return step::finished;
    }

    // The first consumer takes what there is and waits for the rest, so that a batch may
    // exceed the capacity.
    step hold(consumer& c, std::size_t count, critical_section& section) noexcept
    {
        try {
            section.note_steps(count);
            contents_.take(c, count);
            return step::progressed;
        } catch (...) {
            if (!c.try_claim())
                return drop_branch(c);
            fail_with_current_exception(c);
            section.decide(c);
            return step::finished;
        }
    }

    // The first consumer holds one piece. One that takes what is there does not wait for what comes
    // meanwhile.
    [[gnu::cold]] step hold_piece(
        consumer& c,
        std::size_t available,
        critical_section& section
    ) noexcept
    {
        if (c.kind() == demand::some && c.held() == 0)
            c.lower_to(std::min(available, c.wanted()));
        return hold(c, wait_hub::steps_of_piece, section), step::finished;
    }

    // (Q6)
    step resolve_short(consumer& c, critical_section& section) noexcept
    {
        contents_.give_back(c);
        const bool takes_fewer = c.kind() == demand::up_to || c.kind() == demand::linger;
        if (takes_fewer && contents_.size() > 0) {
            c.lower_to(contents_.size());
            return step::finished;  // served again, and then it is complete
        }
        if (!c.try_claim())
            return drop_branch(c);
        c.note_left(contents_.size());
        section.decide_failed(c, what_ends(), end_.cause);
        return step::finished;
    }

    [[nodiscard]] errc what_ends() const noexcept
    {
        if (end_.cause)
            return errc::input_failed;
        return end_.cut_off ? errc::stop_requested : errc::end_of_queue;
    }

    step drop_branch(waiter& w) noexcept
    {
        drop(w);
        return step::finished;
    }

    // Rendezvous ----------------------------------------------------------------------------

    // What was put back goes first.
    void rendezvous(critical_section& section) noexcept
    {
        while (contents_.size() == 0 && !producers_.empty() && !consumers_.empty()) {
            if (!section.has_steps())
                return section.cut_short();
            section.note_steps(1);
            meet(
                static_cast<producer&>(producers_.front()),
                static_cast<consumer&>(consumers_.front()),
                section
            );
        }
    }

    // They are never branches of one select, which refuses both sides of a rendezvous.
    void meet(producer& p, consumer& c, critical_section& section) noexcept
    {
        // Neither may pass or take a row for a select that was decided elsewhere.
        if (p.lost_claim() || c.lost_claim())
            return drop(p.lost_claim() ? static_cast<waiter&>(p) : c);
        const bool completes = c.kind() == demand::some || c.missing() == 1;
        claim* const offered = p.claim_;
        claim* const wanted = completes && !c.has_claim_ ? c.claim_ : nullptr;
        if (const claim* lost = claim::try_take_both(offered, wanted))
            return drop(lost == offered ? static_cast<waiter&>(p) : c);
        p.has_claim_ = offered != nullptr;
        c.has_claim_ = c.has_claim_ || wanted != nullptr;
        try {
            contents_.pass(p, c);
        } catch (...) {
            if (c.has_claim_) {  // its other branches are lost, so it must not wait on
                fail_with_current_exception(c);
                section.decide(c);
            }
            section.decide_failed(p, errc::element_failed, std::current_exception());
            return;
        }
        if (p.left() == 0)
            section.decide(p);
        if (c.missing() == 0 || (c.kind() == demand::linger && !c.linger())) {
            contents_.note_delivered(c);
            section.decide(c);
        }
    }

    // Cancellation and death ---------------------------------------------------------------

    void withdraw(waiter& target) noexcept override
    {
        if (target.list_ == consumer::list)
            contents_.give_back(static_cast<consumer&>(target));
    }

    bool reclaim(waiter& target) noexcept override
    {
        if (target.list_ != consumer::list)
            return reclaim_places(static_cast<producer&>(target));
        auto& c = static_cast<consumer&>(target);
        contents_.end_loan(contents_.lent_to(c));  // for which there is room
        try {
            contents_.reserve(c.held(), held_by_head());
        } catch (...) {
            return false;  // no room to take it back: the consumer keeps it, nothing is lost
        }
        contents_.take_back(c);
        return true;
    }

    // Of consumers only the first holds something, or may take what is there.
    bool complete_in_part(waiter& target, critical_section& section) noexcept override
    {
        if (target.list_ != consumer::list || consumers_.empty() ||
            &target != &consumers_.front())
            return false;
        auto& c = static_cast<consumer&>(target);
        const std::size_t available = contents_.available(closed_);
        if (c.kind() != demand::linger || c.held() + available == 0)
            return false;
        complete(c, std::min(available, c.missing()), section);
        serve(section);
        return true;
    }

    // Rows that are in stay in.
    [[nodiscard]] bool has_effect(const waiter& target) const noexcept override
    {
        return target.list_ == producer::list &&
               static_cast<const producer&>(target).accepted() > 0;
    }

    // An element that is in the queue stays there: success stands.
    bool reclaim_places(producer& p) noexcept
    {
        if (p.places() == 0)
            return false;
        contents_.free_places(p.leave_places());
        return true;
    }

    void collect(const void* context, waiter_list& abandoned) noexcept override
    {
        // With its own context the queue dies for all waiters.
        const void* const whose = context == home_context() ? nullptr : context;
        collect_from(producers_, whose, abandoned);
        collect_from(consumers_, whose, abandoned);
    }
};

}  // namespace sluice::detail
