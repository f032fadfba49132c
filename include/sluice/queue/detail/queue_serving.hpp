// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/queue/detail/element_waiters.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

namespace sluice::detail {

// One round of serving: what one critical section does with the wait lists of a queue and its
// contents. `Lists` is a queue_lists, which has the rules (Q1) to (Q6).
template <class Lists>
class queue_serving
{
    using producer = typename Lists::producer;
    using consumer = typename Lists::consumer;
    using critical_section = wait_hub::critical_section;

public:
    queue_serving(Lists& lists, critical_section& section) noexcept
        : lists_(lists), section_(section)
    {
    }

    void serve() noexcept
    {
        // Only consumers that moved can have made room for another producer.
        do {
            if (contents().capacity() == 0)
                rendezvous();
            else
                serve_producers();
        } while (serve_consumers() &&
                 !(lists_.producers_.empty() && lists_.consumers_.empty()));
    }

    // True: something has moved.
    bool serve_producers() noexcept
    {
        // They leave steps for those that wait for what they bring.
        return serve_list<producer>(
            lists_.producers_,
            wait_hub::steps_of_piece - Lists::rows_of_piece
        );
    }

    bool serve_consumers() noexcept { return serve_list<consumer>(lists_.consumers_, 0); }

    // The first consumer gets `count`, which is what it asked for, or enough.
    void complete(consumer& c, std::size_t count) noexcept
    {
        if (!c.try_claim())
            return section_.drop(c);
        contents().deliver(c, count);
        section_.note_steps(count);
        section_.decide(c);
    }

    // Ends an enqueue that waits: what does not fit drops others, or is dropped.
    template <class Dropped>
    void accept_or_drop(producer& p, Dropped& dropped) noexcept
    {
        if (!p.try_claim())
            return section_.drop(p);
        try {
            while (p.left() > 0)
                if (lists_.comes_in(p))
                    contents().accept_rows(p, lists_.held_by_head());
                else
                    contents().drop_one(p, dropped);
        } catch (...) {
            p.fail(errc::element_failed, std::current_exception());
        }
        section_.decide(p);
        if (!lists_.is_quiet())
            lists_.serve(section_);
    }

    // For one that takes pieces, before it waits: takes the memory for what there is, without the
    // lock, because a vector that grows moves all its elements. It may have failed then.
    void make_room_without_lock(consumer& c) noexcept
    {
        const std::size_t count = std::min(lists_.available(), c.missing());
        std::exception_ptr failure;
        section_.without_lock([&] {
            try {
                c.make_room(count);
            } catch (...) {
                failure = std::current_exception();
            }
        });
        if (failure)
            c.fail(errc::element_failed, std::move(failure));
    }

private:
    enum class step : unsigned char
    {
        blocked,
        progressed,
        finished
    };

    // Not a member: as one it would be written to the stack and read again in each round.
    [[nodiscard]] typename Lists::contents_type& contents() noexcept
    {
        return lists_.contents_;
    }

    template <class Waiter>
    [[gnu::always_inline]] bool serve_list(waiter_list& list, std::size_t kept) noexcept
    {
        bool moved = false;
        step last = step::finished;
        while (last == step::finished && !list.empty()) {
            if (!section_.has_steps(kept)) [[unlikely]] {
                section_.cut_short();
                return false;
            }
            auto& head = static_cast<Waiter&>(list.front());
            if (head.lost_claim())
                section_.drop(head);
            else
                last = serve_head(head);
            moved = moved || last != step::blocked;
            section_.note_steps(1);
        }
        return moved;
    }

    step serve_head(producer& p) noexcept
    {
        if (!lists_.comes_in(p))
            return step::blocked;
        if (!p.try_claim())
            return section_.drop(p), step::finished;
        const std::size_t before = p.left();
        try {
            contents().accept_rows(p, lists_.held_by_head(), Lists::rows_of_piece);
        } catch (...) {
            section_.decide_failed(p, errc::element_failed, std::current_exception());
            return step::finished;
        }
        section_.note_steps(before - p.left());
        if (p.left() > 0)
            return contents().is_weighed() || before > Lists::rows_of_piece
                       ? step::finished
                       : step::progressed;
        section_.decide(p);
        return step::finished;
    }

    step serve_head(consumer& c) noexcept
    {
        const std::size_t available = lists_.available();
        if (Lists::takes_pieces(c, available)) [[unlikely]]
            return hold_piece(c, available);
        if (lists_.takes_on(c, available))
            return hold(c, available);
        if (available >= c.least())
            return complete(c, std::min(available, c.missing())), step::finished;
        if (lists_.is_drained())
            return resolve_short(c);
        if (available == 0)
            return step::blocked;
        if (c.kind() == demand::linger && !c.linger())
            return complete(c, available), step::finished;
        if (Lists::whole_batches)
            return step::blocked;
        return hold(c, available);
    }

    // The first consumer takes what there is and waits for the rest, so that a batch may
    // exceed the capacity.
    step hold(consumer& c, std::size_t count) noexcept
    {
        try {
            section_.note_steps(count);
            contents().take(c, count);
            return step::progressed;
        } catch (...) {
            if (!c.try_claim())
                return section_.drop(c), step::finished;
            contents().fail(c);
            section_.decide(c);
            return step::finished;
        }
    }

    // The first consumer holds one piece. One that takes what is there does not wait for what comes
    // meanwhile.
    [[gnu::cold]] step hold_piece(consumer& c, std::size_t available) noexcept
    {
        if (c.kind() == demand::some && c.held() == 0)
            c.lower_to(std::min(available, c.wanted()));
        return hold(c, wait_hub::steps_of_piece), step::finished;
    }

    // (Q6)
    step resolve_short(consumer& c) noexcept
    {
        contents().give_back(c);
        const bool takes_fewer = c.kind() == demand::up_to || c.kind() == demand::linger;
        if (takes_fewer && contents().size() > 0) {
            c.lower_to(contents().size());
            return step::finished;  // served again, and then it is complete
        }
        if (!c.try_claim())
            return section_.drop(c), step::finished;
        c.note_left(contents().size());
        section_.decide_failed(c, lists_.record_.code(), lists_.record_.end().cause);
        return step::finished;
    }

    // Capacity 0 ----------------------------------------------------------------------------

    // What was returned goes first.
    void rendezvous() noexcept
    {
        while (contents().size() == 0 && !lists_.producers_.empty() &&
               !lists_.consumers_.empty()) {
            if (!section_.has_steps())
                return section_.cut_short();
            section_.note_steps(1);
            meet(
                static_cast<producer&>(lists_.producers_.front()),
                static_cast<consumer&>(lists_.consumers_.front())
            );
        }
    }

    // They are never branches of one select, which refuses both sides of a rendezvous.
    void meet(producer& p, consumer& c) noexcept
    {
        const bool completes = c.kind() == demand::some || c.missing() == 1;
        if (p.claim_ != nullptr || c.claim_ != nullptr)
            if (waiter* const lost = waiter::try_claim_both(p, c, completes))
                return section_.drop(*lost);
        try {
            contents().pass(p, c);
        } catch (...) {
            if (c.has_claim_) {  // its other branches are lost, so it must not wait on
                contents().fail(c);
                section_.decide(c);
            }
            section_.decide_failed(p, errc::element_failed, std::current_exception());
            return;
        }
        if (p.left() == 0)
            section_.decide(p);
        if (c.missing() == 0 || (c.kind() == demand::linger && !c.linger())) {
            contents().note_delivered(c);
            section_.decide(c);
        }
    }

    Lists& lists_;
    critical_section& section_;
};

}  // namespace sluice::detail
