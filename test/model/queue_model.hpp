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

// Why: what a queue promises, written down a second time, from the contract and not from the
// code: one element at a time, no locks, everything in vectors.

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
    bool claimed = false;      // a branch: one of its select has won, or lost
    int cause = 0;             // what a close gave as the reason; 0: nothing
    std::size_t wanted = 0;    // elements; fewer than asked for once closed and short
    std::size_t accepted = 0;  // rows that are in
    std::size_t left = 0;      // elements stored when the end of the queue was reported
    std::vector<int> elements = {};  // held while it waits, handed over afterwards

    [[nodiscard]] bool produces() const { return start.what == action::enqueue; }

    [[nodiscard]] bool is_pending() const { return now < state::delivered; }

    /// Waits only until its line or its owner notices that it need not.
    [[nodiscard]] bool is_lost() const { return now == state::waiting && claimed; }

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
            start(s);
        else if (is_close(s))
            close(s);
        else if (s.what == action::abandon)
            abandon(s.id);
        else if (operations_.contains(s.id))
            affect(operations_.at(s.id), s.what);
    }

    /// Who was told of its outcome in the last step, in order.
    [[nodiscard]] const std::vector<int>& told() const { return told_; }

    /// Who was freed in the last step because a context died.
    [[nodiscard]] const std::vector<int>& abandoned() const { return abandoned_; }

    [[nodiscard]] const operations_type& operations() const { return operations_; }

    [[nodiscard]] const queue_settings& settings() const { return settings_; }

    [[nodiscard]] const std::vector<int>& stored() const { return stock_.elements(); }

    [[nodiscard]] std::size_t draws() const { return stock_.draws(); }

    [[nodiscard]] bool is_shut_down() const { return shut_down_; }

    [[nodiscard]] queue_stats stats() const
    {
        queue_stats now = counts_;
        now.capacity = settings_.capacity;
        now.size = stock_.size();
        now.held = consumers_.empty() ? 0 : consumers_.front()->elements.size();
        now.waiting_producers = producers_.size();
        now.waiting_consumers = consumers_.size();
        return now;
    }

private:
    using line = std::vector<operation*>;  // std::map keeps its values where they are

    // What happens --------------------------------------------------------------------------

    void start(const step& s)
    {
        operation& o = operations_[s.id] = {.start = s, .wanted = s.count};
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
        if (s.how == manner::attempt)
            break_off(o);
        if (o.now == operation::state::waiting && has_no_patience(s.how))
            cancel(o, errc::timed_out);
        if (o.now == operation::state::decided && completes_at_once(s.how))
            hand_to_caller(o);
    }

    void affect(operation& o, action what)
    {
        if (what == action::cancel)
            cancel(o, boost::asio::error::operation_aborted);
        else if (what == action::time_out)
            cancel(o, errc::timed_out);
        else if (what == action::forget)
            forget(o);
        else if (what == action::lose)
            lose(o);
        else if (o.now == operation::state::decided)
            o.now = operation::state::delivered;
    }

    void close(const step& s)
    {
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

    // Nobody is told. An outcome that is on its way is its owner's to lose: see forget().
    void abandon(int context)
    {
        const bool everybody = context == home && has_home_;
        for (line* const l : {&producers_, &consumers_})
            for (operation* const o : line(*l))
                if (everybody || o->start.context == context) {
                    give_back(*o);
                    std::erase(*l, o);
                    o->now = operation::state::forgotten;
                    abandoned_.push_back(o->start.id);
                }
        has_home_ = has_home_ && !everybody;
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
    }

    // A try_ form is over after one attempt. What it took or brought so far counts; why it
    // was not more nobody is told.
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
            decide(o, why);
            settle();
        } else if (take_back(o)) {
            o.error = why;
            settle();
        }
    }

    // Its line notices when it next moves.
    void lose(operation& o)
    {
        if (o.start.is_branch && o.now == operation::state::waiting)
            o.claimed = true;
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

    // A dequeue that succeeded gives back what it was handed. A failure stands, and so does
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
        o.claimed = o.start.is_branch && o.now == operation::state::waiting;
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
            while (drop_lost_head(consumers_) ||
                   (!consumers_.empty() && serve(*consumers_.front()))) {
                moved = true;
                if (settings_.capacity == 0)
                    break;  // it may go on with what producers offer
            }
        }
    }

    // A branch whose select has won elsewhere steps aside.
    bool drop_lost_head(line& l)
    {
        if (l.empty() || !l.front()->is_lost())
            return false;
        operation& lost = *l.front();
        give_back(lost);
        l.erase(l.begin());
        lost.now = operation::state::forgotten;
        return true;
    }

    // The first producer stores one row.
    bool store()
    {
        if (drop_lost_head(producers_))
            return true;
        if (producers_.empty() || stock_.size() >= settings_.capacity)
            return false;
        stock_.add(producers_.front()->next_row());
        note_size();
        accept_row(*producers_.front());
        return true;
    }

    // Capacity 0: the first producer gives one row to the first consumer, unless something
    // that was put back is in front of it.
    bool meet()
    {
        if (producers_.empty() || consumers_.empty() || stock_.size() != 0)
            return false;
        operation& consumer = *consumers_.front();
        consumer.elements.push_back(producers_.front()->next_row());
        accept_row(*producers_.front());
        if (consumer.missing() == 0)
            decide(consumer);
        return true;
    }

    void accept_row(operation& producer)
    {
        ++producer.accepted;
        ++counts_.enqueued;
        if (producer.accepted == producer.wanted)
            decide(producer);
    }

    bool serve(operation& consumer)
    {
        const std::size_t available = stock_.available(counts_.closed);
        if (available >= consumer.missing() || can_do_with_less(consumer, available)) {
            take(consumer, std::min(available, consumer.missing()));
            decide(consumer);
            return true;
        }
        if (counts_.closed && producers_.empty())
            return resolve_short(consumer);
        if (available == 0 || whole_batches())
            return false;
        take(consumer, available);
        return true;
    }

    // dequeue_some takes what is there. At capacity 0 it met all producers before it comes
    // here, unless elements that were put back are in front of theirs: then it takes those
    // first (S5).
    [[nodiscard]] bool can_do_with_less(const operation& consumer, std::size_t available)
        const
    {
        if (settings_.capacity == 0 && available > 0 && !producers_.empty())
            return false;
        return consumer.start.kind == demand::some &&
               (available > 0 || !consumer.elements.empty());
    }

    // Closed, and fewer elements than asked for will ever come.
    bool resolve_short(operation& consumer)
    {
        give_back(consumer);
        if (consumer.start.kind == demand::up_to && stock_.size() > 0) {
            consumer.wanted = stock_.size();
            return true;
        }
        consumer.left = stock_.size();
        consumer.cause = cause_;
        decide(consumer, errc::end_of_queue);
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
