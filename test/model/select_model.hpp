// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_model.hpp"
#include "model/select_step.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace sluice::model::selecting {

// Why: what a select promises, written down a second time: exactly one of its operations
// happens, the earliest of those that can, and the others leave no trace. Each queue is a
// model of its own, to which a branch is an operation that shares a claim.

struct operation
{
    step start = {};
    bool claimed = false;   // a select that is over, as far as its branches know
    int winner = -1;        // index of the branch that was taken
    error_code error = {};  // that of the whole, if none was taken
    model::operation::state now = model::operation::state::waiting;
    std::vector<int> parts = {};  // by which its branches are known to their queues

    [[nodiscard]] bool is_pending() const
    {
        return now < model::operation::state::delivered;
    }
};

class select_model
{
public:
    using operations_type = std::map<int, operation>;
    using state = model::operation::state;

    explicit select_model(const std::array<std::size_t, 2>& capacities)
        : queues_{
              queue_model({.capacity = capacities[0]}),
              queue_model({.capacity = capacities[1]})
          }
    {
    }

    /// What has become senseless because earlier steps were left out does nothing.
    void apply(const step& s)
    {
        told_.clear();
        abandoned_.clear();
        if (s.what == action::start)
            start(s);
        else if (s.what == action::abandon)
            for (int queue : {0, 1})
                tell(
                    queue,
                    {.what = model::action::abandon, .id = in_queue(queue, s.id)}
                );
        else if (is_close(s))
            tell(s.queue, {.what = close_of(s.what)});
        else if (operations_.contains(s.id) && operations_.at(s.id).is_pending())
            affect(operations_.at(s.id), s.what);
    }

    /// Who was told of its outcome in the last step, in order.
    [[nodiscard]] const std::vector<int>& told() const { return told_; }

    /// Who was freed in the last step because a context died.
    [[nodiscard]] const std::vector<int>& abandoned() const { return abandoned_; }

    [[nodiscard]] const operations_type& operations() const { return operations_; }

    [[nodiscard]] const queue_model& queue(int number) const
    {
        return queues_[static_cast<std::size_t>(number)];
    }

    /// A branch as its queue sees it; null if it has not got that far.
    [[nodiscard]] const model::operation* part(const operation& o, std::size_t index)
        const
    {
        return o.parts[index] == 0 ? nullptr
                                   : &queue(o.start.branches[index].queue)
                                          .operations()
                                          .at(o.parts[index]);
    }

private:
    struct place
    {
        operation* owner;
        std::size_t index;  // of the branch
    };

    // Starting ------------------------------------------------------------------------------

    void start(const step& s)
    {
        operation& o = operations_[s.id];
        o = {.start = s, .parts = std::vector<int>(s.branches.size())};
        if (!s.is_select) {
            ask(o, 0, s.how);
            o.now = part(o, 0)->now;
            return;
        }
        if (s.how == manner::cancelled)
            end(o, boost::asio::error::operation_aborted);
        const bool is_attempt = s.how == manner::expired || s.how == manner::impatient;
        if (!attempt(o, s.how) && !o.claimed && is_attempt)
            end(o, errc::timed_out);  // (S3)
        if (o.claimed && !is_told(s.how)) {
            o.now = state::delivered;
            return;
        }
        if (!o.claimed)
            line_up(o);
        if (o.now == state::decided)
            told_.push_back(s.id);
    }

    // What is complete at once. False: the caller goes on with the outcome itself.
    [[nodiscard]] static bool is_told(manner how)
    {
        return how == manner::posted || how == manner::impatient ||
               how == manner::cancelled;
    }

    // Before it waits a select tries its branches in their order; the shortest way does that
    // twice.
    bool attempt(operation& o, manner how)
    {
        for (int times = how == manner::shortest ? 2 : 1; times > 0; --times)
            for (std::size_t i = 0; i < o.parts.size() && !o.claimed; ++i)
                if (attempt_branch(o, i)) {
                    o.now = state::decided;
                    // What it was handed it may lose until it is told.
                    if (is_told(how))
                        queues_[static_cast<std::size_t>(o.start.branches[i].queue)]
                            .postpone(o.parts[i]);
                    return true;
                }
        return false;
    }

    // A branch that fails is ready, too.
    bool attempt_branch(operation& o, std::size_t index)
    {
        ask(o, index, manner::expired);
        const error_code error = part(o, index)->error;
        if (!o.claimed && (!error || error == errc::timed_out))
            return false;
        o.claimed = true;
        o.winner = static_cast<int>(index);
        return true;
    }

    // Its branches line up in their order until one is taken. It is told last, because
    // before the end of its start there is nobody to tell.
    void line_up(operation& o)
    {
        starting_ = &o;
        for (std::size_t i = 0; i < o.parts.size() && !o.claimed; ++i)
            ask(o, i, manner::posted);
        starting_ = nullptr;
    }

    void ask(operation& o, std::size_t index, manner how)
    {
        const branch& b = o.start.branches[index];
        o.parts[index] = ++last_part_;
        places_[last_part_] = {&o, index};
        tell(
            b.queue,
            {.what = b.produces ? model::action::enqueue : model::action::dequeue,
             .id = last_part_,
             .count = b.count,
             .first = b.first,
             .kind = b.kind,
             .how = how,
             .context = in_queue(b.queue, o.start.context),
             .is_branch = o.start.is_select}
        );
    }

    // What happens to operations -------------------------------------------------------------

    void affect(operation& o, action what)
    {
        if (what == action::deliver)
            deliver(o);
        else if (what == action::forget)
            forget(o);
        else
            cancel(o, what);
    }

    // Before a branch has won the whole ends; afterwards what the branch was handed goes back.
    void cancel(operation& o, action what)
    {
        if (o.start.is_select && !o.claimed) {
            end(o,
                what == action::cancel ? error_code(boost::asio::error::operation_aborted)
                                       : error_code(errc::timed_out));
            return told_.push_back(o.start.id);
        }
        const auto how = what == action::cancel ? model::action::cancel
                                                : model::action::time_out;
        for (std::size_t i = 0; i < o.parts.size(); ++i)
            affect_part(o, i, how);
    }

    void deliver(operation& o)
    {
        if (o.now != state::decided)
            return;
        o.now = state::delivered;
        if (o.winner >= 0)
            affect_part(o, static_cast<std::size_t>(o.winner), model::action::deliver);
        for (std::size_t i = 0; i < o.parts.size(); ++i)
            if (static_cast<int>(i) != o.winner)
                affect_part(o, i, model::action::forget);
    }

    void forget(operation& o)
    {
        o.claimed = true;
        o.now = state::forgotten;
        for (std::size_t i = 0; i < o.parts.size(); ++i)
            affect_part(o, i, model::action::forget);
    }

    void affect_part(const operation& o, std::size_t index, model::action what)
    {
        if (o.parts[index] != 0)
            tell(o.start.branches[index].queue, {.what = what, .id = o.parts[index]});
    }

    static void end(operation& o, error_code why)
    {
        o.claimed = true;
        o.error = why;
        o.now = state::decided;
    }

    // What queues do -------------------------------------------------------------------------

    void tell(int number, const model::step& s)
    {
        queue_model& queue = queues_[static_cast<std::size_t>(number)];
        if (is_start(s) && s.is_branch)
            queue.start_branch(s, places_.at(s.id).owner->claimed);
        else
            queue.apply(s);
        const std::vector<int> told = queue.told();
        const std::vector<int> abandoned = queue.abandoned();
        for (const int part : told)
            note_told(places_.at(part));
        for (const int part : abandoned)
            note_abandoned(*places_.at(part).owner);
    }

    void note_told(const place& where)
    {
        operation& o = *where.owner;
        if (o.now != state::waiting)
            return;  // only that a branch is over whose select has ended
        o.now = state::decided;
        o.claimed = true;
        o.winner = static_cast<int>(where.index);
        if (&o != starting_)
            told_.push_back(o.start.id);
    }

    // With one branch the whole is freed. One that is decided is its owner's to lose.
    void note_abandoned(operation& o)
    {
        if (o.start.is_select && o.claimed)
            return;
        forget(o);
        abandoned_.push_back(o.start.id);
    }

    // To each queue its own context is the first.
    [[nodiscard]] static int in_queue(int queue, int context)
    {
        return queue == 1 && (context == 1 || context == 2) ? 3 - context : context;
    }

    [[nodiscard]] static model::action close_of(action what)
    {
        return what == action::close            ? model::action::close
               : what == action::cancel_pending ? model::action::cancel_pending
                                                : model::action::shut_down;
    }

    std::array<queue_model, 2> queues_;
    operations_type operations_;
    std::map<int, place> places_;  // of the parts
    int last_part_ = 0;
    const operation* starting_ = nullptr;
    std::vector<int> told_;
    std::vector<int> abandoned_;
};

}  // namespace sluice::model::selecting
