// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"
#include "model/step.hpp"
#include "model/stock.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: what a queue promises, written down a second time, from docs/behaviour.md and not from
// the code: one element at a time, no locks, everything in vectors.

/// What became of an operation.
struct operation
{
    enum class state : unsigned char
    {
        waiting,
        decided,    // its delivery is on the way
        delivered,  // its owner has the outcome
        forgotten   // its owner is gone; or both died with their context
    };

    step start = {};
    state now = state::decided;
    error_code error = {};
    bool was_ready = false;    // it did not wait, although it may have been posted
    bool claimed = false;      // a branch: one of its select has won, or lost
    bool* claim = nullptr;     // where that is noted: above, or with its select
    int cause = 0;             // what a close gave as the reason; 0: nothing
    std::size_t wanted = 0;    // elements; fewer than asked for once closed and short
    std::size_t accepted = 0;  // rows that are in
    std::size_t left = 0;      // elements stored when the end of the queue was reported
    std::vector<int> elements = {};  // held while it waits, its owner's afterwards

    [[nodiscard]] bool produces() const { return start.what == action::enqueue; }

    [[nodiscard]] bool is_pending() const { return now < state::delivered; }

    /// Waits only until its line or its owner notices that it need not.
    [[nodiscard]] bool is_lost() const
    {
        return now == state::waiting && claim && *claim;
    }

    [[nodiscard]] int next_row() const { return start.first + int(accepted); }

    [[nodiscard]] std::size_t missing() const { return wanted - elements.size(); }
};

class queue_model
{
public:
    using operations_type = std::map<int, operation>;

    explicit queue_model(const queue_settings& settings)
        : settings_(settings), stock_(settings)
    {
    }

    void apply(const step& s)
    {
        told_.clear();
        abandoned_.clear();
        if (is_start(s))
            start(s, nullptr);
        else if (is_close(s))
            close(s);
        else if (s.what == action::abandon)
            abandon(s.id);
        else if (operations_.contains(s.id))
            affect(operations_.at(s.id), s.what);
    }

    /// Starts a branch of a select that has others; the claim is theirs as well.
    void start_branch(const step& s, bool& claim)
    {
        told_.clear();
        abandoned_.clear();
        start(s, &claim);
    }

    /// A branch was complete at once, and its owner has yet to be told.
    void postpone(int id) { operations_.at(id).now = operation::state::decided; }

    /// Who was told of its outcome in the last step, in order.
    [[nodiscard]] const std::vector<int>& told() const { return told_; }

    /// Who was freed in the last step because a context died.
    [[nodiscard]] const std::vector<int>& abandoned() const { return abandoned_; }

    [[nodiscard]] const operations_type& operations() const { return operations_; }

    [[nodiscard]] const queue_settings& settings() const { return settings_; }

    [[nodiscard]] bool is_shut_down() const { return shut_down_; }

    [[nodiscard]] queue_stats stats() const
    {
        queue_stats now = counts_;
        now.capacity = settings_.capacity;
        now.size = stock_.size();
        now.weight = weight();
        now.held = consumers_.empty() ? 0 : consumers_.front()->elements.size();
        now.waiting_producers = producers_.size();
        now.waiting_consumers = consumers_.size();
        return now;
    }

private:
    using line = std::vector<operation*>;  // std::map keeps its values where they are

    // What happens --------------------------------------------------------------------------

    void start(const step& s, bool* claim)
    {
        operation& o = operations_[s.id] = {.start = s, .wanted = s.count};
        if (s.is_branch)
            o.claim = claim != nullptr ? claim : &o.claimed;
        if (s.how == manner::cancelled)
            decide(o, boost::asio::error::operation_aborted);
        else if (s.count == 0)
            decide(o);
        else if (o.produces() && counts_.closed)
            decide(o, errc::queue_closed);
        else if (asks_too_much(o))
            decide(o, errc::invalid_argument);
        else
            line_up(o);
        o.was_ready = o.now == operation::state::decided;
        if (s.how == manner::attempt)
            break_off(o);
        if (o.now == operation::state::waiting && has_no_patience(s.how))
            lose_patience(o);
        if (o.now == operation::state::decided && completes_at_once(s.how))
            hand_to_caller(o);
    }

    void affect(operation& o, action what)
    {
        if (what == action::cancel)
            cancel(o, boost::asio::error::operation_aborted);
        else if (what == action::time_out)
            time_out(o);
        else if (what == action::expire)
            expire(o);
        else if (what == action::forget)
            forget(o);
        else if (what == action::lose)
            lose(o);
        else if (o.now == operation::state::decided)
            o.now = operation::state::delivered;
    }

    void close(const step& s)
    {
        while (drop_lost_head(producers_))
            settle();
        counts_.closed = true;
        if (s.what == action::close_with_cause && cause_ == 0)
            cause_ = s.id;
        if (s.what != action::close)
            while (!producers_.empty())
                if (!drop_lost_head(producers_))
                    decide(*producers_.front(), errc::queue_closed);
        settle();
        if (s.what == action::shut_down) {
            shut_down_ = true;
            stock_.clear();
        }
    }

    // Its owner is not told. An outcome that is on its way is its owner's to lose: see forget().
    void abandon(int context)
    {
        const bool whole_home = context == home && has_home_;
        for (line* const l : {&producers_, &consumers_})
            for (operation* const o : line(*l))
                if (whole_home || o->start.context == context) {
                    give_back(*o);
                    std::erase(*l, o);
                    o->now = operation::state::forgotten;
                    abandoned_.push_back(o->start.id);
                }
        has_home_ = has_home_ && !whole_home;
        settle();
    }

    // Starting ------------------------------------------------------------------------------

    // The elements of a batch of a priority queue are stored at the same time.
    [[nodiscard]] bool asks_too_much(const operation& o) const
    {
        return whole_batches() && !o.produces() && o.start.kind != demand::some &&
               o.wanted > settings_.capacity;
    }

    [[nodiscard]] static bool has_no_patience(manner how)
    {
        return how == manner::impatient || how == manner::expired;
    }

    [[nodiscard]] static bool completes_at_once(manner how)
    {
        return how == manner::at_once || how == manner::shortest ||
               how == manner::expired;
    }

    void line_up(operation& o)
    {
        o.now = operation::state::waiting;
        line_of(o).push_back(&o);
        settle();
        if (o.produces() && o.now == operation::state::waiting &&
            settings_.overflow != overflow::wait)
            let_overflow(o);
    }

    // What does not fit drops the first that are stored, or is dropped.
    void let_overflow(operation& o)
    {
        while (o.now == operation::state::waiting) {
            if (comes_in(o.next_row())) {
                store(o);
                continue;
            }
            ++counts_.dropped;
            if (settings_.overflow == overflow::drop_oldest && stock_.size() > 0)
                static_cast<void>(stock_.take());
            else
                accept_row(o);
        }
        settle();
    }

    // A try_ form is over after one attempt. What it took or brought so far counts; why it
    // was not, no more owners are told.
    void break_off(operation& o)
    {
        if (o.now == operation::state::waiting) {
            counts_.dequeued += o.elements.size();
            std::erase(line_of(o), &o);
            settle();
        }
        o.error = {};
        o.left = 0;
        o.cause = 0;
        hand_to_caller(o);
    }

    void hand_to_caller(operation& o)
    {
        std::erase(told_, o.start.id);
        o.now = operation::state::delivered;
    }

    // Ending --------------------------------------------------------------------------------

    void cancel(operation& o, error_code why)
    {
        if (o.now == operation::state::waiting) {
            give_back(o);
            o.claim = nullptr;  // not by this has its select won
            decide(o, why);
            settle();
        } else if (take_back(o)) {
            o.error = why;
            settle();
        }
    }

    // What was ready succeeds whatever its deadline (S3).
    void time_out(operation& o)
    {
        if (!o.was_ready)
            cancel(o, errc::timed_out);
    }

    // One that lingers takes what is there (S27).
    void lose_patience(operation& o)
    {
        if (o.start.kind == demand::linger)
            expire(o);
        else
            cancel(o, errc::timed_out);
    }

    // The first in its line has what there is. What was decided stays so.
    void expire(operation& o)
    {
        if (o.now != operation::state::waiting)
            return;
        const std::size_t available = stock_.available(counts_.closed);
        if (&o != consumers_.front() || o.elements.size() + available == 0)
            return cancel(o, errc::timed_out);
        take(o, std::min(available, o.missing()));
        decide(o);
        settle();
    }

    // Its line notices when it next moves.
    void lose(operation& o)
    {
        if (o.claim != nullptr && o.now == operation::state::waiting)
            *o.claim = true;
    }

    void forget(operation& o)
    {
        const bool waits = o.now == operation::state::waiting;
        if (waits) {
            give_back(o);
            std::erase(line_of(o), &o);
        }
        const bool changes = waits || take_back(o);
        o.now = operation::state::forgotten;
        if (changes)
            settle();
    }

    // A dequeue that succeeded gives back what it got. A failure stands, and so does
    // an enqueue: its element is in.
    bool take_back(operation& o)
    {
        if (o.now != operation::state::decided || o.produces() || o.error)
            return false;
        counts_.returned += o.elements.size();
        give_back(o);
        return true;
    }

    void decide(operation& o, error_code error = {})
    {
        std::erase(line_of(o), &o);
        if (o.claim != nullptr && o.now == operation::state::waiting)
            *o.claim = true;
        o.error = error;
        o.now = operation::state::decided;
        told_.push_back(o.start.id);
        if (!error)
            counts_.dequeued += o.elements.size();
    }

    // Progress ------------------------------------------------------------------------------

    // Producers, then consumers, and again, until nothing moves; only the head of each line.
    void settle()
    {
        for (bool moved = true; moved;) {
            moved = false;
            while (settings_.capacity == 0 ? meet() : store())
                moved = true;
            while (drop_lost_head(consumers_) || serve_head()) {
                moved = true;
                if (settings_.capacity == 0 && !has_lost_head(consumers_))
                    break;  // it may go on with what producers offer
            }
        }
    }

    // A branch whose select has won elsewhere steps aside.
    bool drop_lost_head(line& l)
    {
        if (!has_lost_head(l))
            return false;
        drop(*l.front());
        return true;
    }

    [[nodiscard]] static bool has_lost_head(const line& l)
    {
        return !l.empty() && l.front()->is_lost();
    }

    void drop(operation& lost)
    {
        give_back(lost);
        std::erase(line_of(lost), &lost);
        lost.now = operation::state::forgotten;
    }

    [[nodiscard]] std::size_t weight() const
    {
        std::size_t sum = 0;
        if (settings_.weight_limit != unbounded && settings_.capacity > 0)
            for (const int element : stock_.elements())
                sum += weight_of(element);
        return sum;
    }

    // Unless nothing can be taken, or the batch of the first consumer is not yet complete.
    [[nodiscard]] bool is_too_heavy(int row) const
    {
        if (weight() + weight_of(row) <= settings_.weight_limit ||
            stock_.available(false) == 0)
            return false;
        if (!whole_batches() || consumers_.empty() || has_lost_head(consumers_))
            return true;
        const operation& first = *consumers_.front();
        return stock_.available(counts_.closed) >= first.missing() ||
               can_do_with_less(first, stock_.size());
    }

    // The first producer stores one row.
    bool store()
    {
        if (drop_lost_head(producers_))
            return true;
        if (producers_.empty() || !comes_in(producers_.front()->next_row()))
            return false;
        store(*producers_.front());
        return true;
    }

    [[nodiscard]] bool comes_in(int row) const
    {
        return stock_.size() < settings_.capacity && !is_too_heavy(row);
    }

    void store(operation& producer)
    {
        stock_.add(producer.next_row());
        note_size();
        accept_row(producer);
    }

    // Capacity 0: the first producer gives one row to the first consumer, unless something
    // that was returned is in front of it. The branches of one select do not meet; each lets
    // the other pass, and behind it a waiter that is done with one row.
    bool meet()
    {
        if (stock_.size() != 0)
            return false;
        for (operation* const producer : producers_)
            for (operation* const consumer : consumers_)
                if (!are_of_one_select(*producer, *consumer) &&
                    may_be_served(*producer, producers_) &&
                    may_be_served(*consumer, consumers_)) {
                    meet(*producer, *consumer);
                    return true;
                }
        return false;
    }

    void meet(operation& producer, operation& consumer)
    {
        if (producer.is_lost())
            return drop(producer);
        if (consumer.is_lost())
            return drop(consumer);
        consumer.elements.push_back(producer.next_row());
        accept_row(producer);
        if (consumer.missing() == 0)
            decide(consumer);
    }

    [[nodiscard]] static bool are_of_one_select(const operation& a, const operation& b)
    {
        return a.claim != nullptr && a.claim == b.claim;
    }

    // Only the head of a line may be left half done.
    [[nodiscard]] static bool may_be_served(const operation& o, const line& l)
    {
        return &o == l.front() || o.missing() - o.accepted == 1;
    }

    [[nodiscard]] bool has_producer_for(const operation& consumer) const
    {
        return std::any_of(
            producers_.begin(),
            producers_.end(),
            [&consumer](const operation* p) { return !are_of_one_select(*p, consumer); }
        );
    }

    void accept_row(operation& producer)
    {
        ++producer.accepted;
        ++counts_.enqueued;
        if (producer.accepted == producer.wanted)
            decide(producer);
    }

    bool serve_head() { return !consumers_.empty() && serve(*consumers_.front()); }

    bool serve(operation& consumer)
    {
        const std::size_t available = stock_.available(counts_.closed);
        if (available >= consumer.missing() || can_do_with_less(consumer, available)) {
            take(consumer, std::min(available, consumer.missing()));
            decide(consumer);
            return true;
        }
        if (counts_.closed && !has_producer_for(consumer))
            return resolve_short(consumer);
        if (available == 0 || whole_batches())
            return false;
        take(consumer, available);
        return true;
    }

    // dequeue_some takes what is there. At capacity 0 it met all producers before it comes
    // here, unless elements that were returned are in front of theirs: then it takes those
    // first (S5).
    [[nodiscard]] bool can_do_with_less(const operation& consumer, std::size_t available)
        const
    {
        if (settings_.capacity == 0 && available > 0 && has_producer_for(consumer))
            return false;
        return consumer.start.kind == demand::some &&
               (available > 0 || !consumer.elements.empty());
    }

    // Closed, and fewer elements than asked for will ever come.
    bool resolve_short(operation& consumer)
    {
        give_back(consumer);
        const bool takes_fewer = consumer.start.kind == demand::up_to ||
                                 consumer.start.kind == demand::linger;
        if (takes_fewer && stock_.size() > 0) {
            consumer.wanted = stock_.size();
            return true;
        }
        consumer.left = stock_.size();
        consumer.cause = cause_;
        decide(consumer, cause_ == 0 ? errc::end_of_queue : errc::input_failed);
        return true;
    }

    void take(operation& consumer, std::size_t count)
    {
        for (; count > 0; --count)
            consumer.elements.push_back(stock_.take());
    }

    void give_back(operation& consumer)
    {
        stock_.put_back(std::exchange(consumer.elements, {}));
        note_size();
    }

    void note_size() { counts_.high_water = std::max(counts_.high_water, stock_.size()); }

    [[nodiscard]] bool whole_batches() const
    {
        return settings_.kind == queue_kind::priority;
    }

    [[nodiscard]] line& line_of(const operation& o)
    {
        return o.produces() ? producers_ : consumers_;
    }

    const queue_settings settings_;
    stock stock_;
    operations_type operations_;
    line producers_;
    line consumers_;
    std::vector<int> told_;
    std::vector<int> abandoned_;
    queue_stats counts_;  // those that are not counted anew each time
    int cause_ = 0;
    bool shut_down_ = false;
    bool has_home_ = true;
};

}  // namespace sluice::model
