// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/coordinator_step.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model::coordination {

// Why: what a coordinator promises, written down a second time, from docs/behaviour.md
// and not from the code: no locks, no counters, nothing remembered that can be looked up.

/// A wait_for_stop() or a join().
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
    state now = state::waiting;
    std::string outcome = {};     // "ok", or what went wrong
    std::optional<int> due = {};  // when the grace period of a join ends

    [[nodiscard]] bool is_pending() const { return now < state::delivered; }
};

/// A coordinator.
struct scope
{
    int parent = -1;
    bool exists = true;  // not destroyed; its tasks and operations may go on without it
    bool stopped = false;
    bool joined = false;
    std::vector<int> errors = {};
    std::vector<int> queues = {};
    std::vector<int> tasks = {};
    std::vector<int> children = {};
    std::vector<int> stop_waiters = {};
    std::vector<int> joins = {};
};

struct task
{
    int scope;
    bool stopped = false;  // a stop has reached it
};

/// One line, to be compared.
[[nodiscard]] inline std::string numbered(const std::string& what, int number)
{
    return what + ' ' + std::to_string(number);
}

/// A task lets go of what it kept, while so many are still counted.
[[nodiscard]] inline std::string release_of(int task, std::size_t counted)
{
    return numbered("releases", task) + " of " + std::to_string(counted);
}

/// What a join() says that gives up on tasks.
[[nodiscard]] inline std::string running(const std::vector<int>& tasks)
{
    std::string text = "still running:";
    for (const int t : tasks)
        text += " t" + std::to_string(t);
    return text;
}

class coordinator_model
{
public:
    explicit coordinator_model(clean_rule rule) : rule_(rule) { scopes_[0]; }

    void apply(const step& s)
    {
        told_.clear();
        abandoned_.clear();
        events_.clear();
        if (is_start(s))
            start(s);
        else if (s.what >= action::cancel && s.what <= action::forget)
            affect(s);
        else
            happen(s);
    }

    // In the last step -----------------------------------------------------------------------

    /// Which operations were told of their outcome, in order.
    [[nodiscard]] const std::vector<int>& told() const { return told_; }

    /// Which were freed because their context died.
    [[nodiscard]] const std::vector<int>& abandoned() const { return abandoned_; }

    /// What was closed, cancelled, released, thrown, called, in order.
    [[nodiscard]] const std::vector<std::string>& events() const { return events_; }

    // Altogether -----------------------------------------------------------------------------

    [[nodiscard]] const std::map<int, scope>& scopes() const { return scopes_; }

    [[nodiscard]] const std::map<int, task>& tasks() const { return tasks_; }

    [[nodiscard]] const std::map<int, operation>& operations() const
    {
        return operations_;
    }

    [[nodiscard]] bool has_queue(int id) const { return queues_.contains(id); }

    [[nodiscard]] clean_rule rule() const { return rule_; }

    /// Those of a coordinator and of its children, in this order.
    [[nodiscard]] std::vector<int> tasks_of(int id) const
    {
        std::vector<int> all = scopes_.at(id).tasks;
        for (const int child : scopes_.at(id).children)
            for (const int t : tasks_of(child))
                all.push_back(t);
        return all;
    }

    /// The earliest end of a grace period.
    [[nodiscard]] std::optional<int> next_due(int id) const
    {
        std::optional<int> earliest;
        for (const int j : scopes_.at(id).joins) {
            const std::optional<int>& due = operations_.at(j).due;
            if (due && (!earliest || *due < *earliest))
                earliest = due;
        }
        return earliest;
    }

private:
    void happen(const step& s)
    {
        switch (s.what) {
        case action::make_child:
            return make_child(s.scope, s.id);
        case action::request_stop:
            return request_stop(s);
        case action::clear_stop:
            return clear_stop(scopes_.at(s.scope));
        case action::destroy:
            scopes_.at(s.scope).exists = false;
            return stop(s.scope);
        case action::add_queue:
            return add_queue(scopes_.at(s.scope), s.id);
        case action::lose_queue:
            queues_.erase(s.id);
            return;
        case action::add_task:
            return add_task(s.scope, s.id);
        case action::end_task:
            return end_task(s);
        case action::abandon:
            return abandon(s.id);
        default:
            return pass_time(s.hours);
        }
    }

    // Stopping -------------------------------------------------------------------------------

    void request_stop(const step& s)
    {
        const scope& c = scopes_.at(s.scope);
        if (s.why == reason::none || is_clean(s.why, c.stopped))
            stop(s.scope);
        else if (c.joined)  // nobody else would learn of it
            events_.push_back(numbered("throws", s.error));
        else
            fail(s.scope, s.error);
    }

    // The error counts here and in all above.
    void fail(int id, int error)
    {
        scopes_.at(id).errors.push_back(error);
        stop(id);
        if (scopes_.at(id).parent >= 0)
            fail(scopes_.at(id).parent, error);
    }

    void stop(int id)
    {
        scope& c = scopes_.at(id);
        if (std::exchange(c.stopped, true))
            return;
        for (const int t : c.tasks)
            tasks_.at(t).stopped = true;
        for (const int j : c.joins)
            begin_grace_period(operations_.at(j));
        for (const int w : std::exchange(c.stop_waiters, {}))
            tell(w, "ok");
        for (const int q : std::exchange(c.queues, {}))
            close(q);
        for (const int t : c.tasks)
            events_.push_back(numbered("cancel", t));
        for (const int child : c.children)
            stop_with_parent(child);
        events_.push_back(numbered("token of", id));
    }

    // Below one that was stopped before, somebody may have begun anew.
    void stop_with_parent(int id)
    {
        if (!scopes_.at(id).stopped)
            return stop(id);
        for (const int child : scopes_.at(id).children)
            stop_with_parent(child);
    }

    static void clear_stop(scope& c)
    {
        c.stopped = false;
        c.joined = false;
        c.errors.clear();
    }

    // D11: what the stop causes in a healthy task is no error, whatever the rule.
    [[nodiscard]] bool is_clean(reason why, bool stopped) const
    {
        if (why == reason::broken)
            return false;
        if (why == reason::harmless)
            return rule_ == clean_rule::own;
        return stopped || (rule_ == clean_rule::by_default && why != reason::aborted);
    }

    // Queues, tasks, children ----------------------------------------------------------------

    void add_queue(scope& c, int id)
    {
        queues_[id];
        c.stopped ? close(id) : c.queues.push_back(id);
    }

    void close(int id)
    {
        if (queues_.contains(id))
            events_.push_back(numbered("close", id));
    }

    void add_task(int id, int t)
    {
        if (scopes_.at(id).stopped) {
            events_.push_back(numbered("refuses", t));
            return;
        }
        tasks_[t] = {id};
        scopes_.at(id).tasks.push_back(t);
    }

    // Its failure stops the scope before what it kept is let go, and only then is it over.
    void end_task(const step& s)
    {
        const auto found = tasks_.find(s.id);
        if (found == tasks_.end())
            return;
        const task ended = found->second;
        if (s.why != reason::none && !is_clean(s.why, ended.stopped))
            fail(ended.scope, s.error);
        events_.push_back(release_of(s.id, tasks_of(ended.scope).size()));
        std::erase(scopes_.at(ended.scope).tasks, s.id);
        tasks_.erase(s.id);
        for (int id = ended.scope; id >= 0; id = scopes_.at(id).parent)
            if (tasks_of(id).empty())
                for (const int j : std::exchange(scopes_.at(id).joins, {}))
                    end_join(scopes_.at(id), j, "ok");
    }

    void make_child(int parent, int id)
    {
        scopes_[id].parent = parent;
        scopes_.at(parent).children.push_back(id);
        if (scopes_.at(parent).stopped)
            stop(id);
    }

    // Waiting --------------------------------------------------------------------------------

    void start(const step& s)
    {
        operation& o = operations_[s.id] = {.start = s};
        scope& c = scopes_.at(s.scope);
        const bool is_join = s.what == action::join;
        if (s.how == manner::cancelled)
            o.outcome = "aborted";
        else if (is_join && tasks_of(s.scope).empty())
            o.outcome = outcome_of_join(c, "ok");
        else if (!is_join && c.stopped)
            o.outcome = "ok";
        else if (s.how == manner::impatient || s.how == manner::expired)
            o.outcome = "timed out";
        if (!o.outcome.empty())
            return start_is_end(o);
        (is_join ? c.joins : c.stop_waiters).push_back(s.id);
        if (is_join && c.stopped)
            begin_grace_period(o);
    }

    void start_is_end(operation& o)
    {
        const manner how = o.start.how;
        const bool posted = how == manner::posted || how == manner::cancelled;
        o.now = posted ? operation::state::decided : operation::state::delivered;
        if (posted)
            told_.push_back(o.start.id);
    }

    void affect(const step& s)
    {
        const auto found = operations_.find(s.id);
        if (found == operations_.end() || !found->second.is_pending())
            return;
        operation& o = found->second;
        const bool waits = o.now == operation::state::waiting;
        if (s.what == action::deliver) {
            if (!waits)
                o.now = operation::state::delivered;
            return;
        }
        if (waits)
            leave_line(o);
        if (s.what == action::forget)
            o.now = operation::state::forgotten;
        else if (waits)  // otherwise it comes too late: what has happened has happened
            tell(s.id, s.what == action::cancel ? "aborted" : "timed out");
    }

    void leave_line(const operation& o)
    {
        std::erase(scopes_.at(o.start.scope).stop_waiters, o.start.id);
        std::erase(scopes_.at(o.start.scope).joins, o.start.id);
    }

    void abandon(int context)
    {
        for (auto& [id, c] : scopes_)
            for (const std::vector<int>& line :
                 {std::vector(c.stop_waiters), std::vector(c.joins)})
                for (const int w : line)
                    if (operation& o = operations_.at(w); o.start.context == context) {
                        leave_line(o);
                        o.now = operation::state::forgotten;
                        abandoned_.push_back(w);
                    }
    }

    void pass_time(int hours)
    {
        now_ += hours;
        for (auto& [id, c] : scopes_)
            for (const int j : std::vector(c.joins))
                if (const operation& o = operations_.at(j); o.due && *o.due <= now_) {
                    leave_line(o);
                    end_join(c, j, running(tasks_of(id)));
                }
    }

    // S19: from the stop on, or from the join, if that is later.
    void begin_grace_period(operation& join) const
    {
        join.due = now_ + std::max(0, join.start.hours);
    }

    void end_join(scope& c, int id, const std::string& without_error)
    {
        tell(id, outcome_of_join(c, without_error));
    }

    // The first error comes before all that can be said otherwise.
    static std::string outcome_of_join(scope& c, const std::string& without_error)
    {
        c.joined = true;
        return c.errors.empty() ? without_error : numbered("error", c.errors.front());
    }

    void tell(int id, const std::string& outcome)
    {
        operations_.at(id).outcome = outcome;
        operations_.at(id).now = operation::state::decided;
        told_.push_back(id);
    }

    const clean_rule rule_;
    int now_ = 0;
    std::map<int, scope> scopes_;
    std::map<int, task> tasks_;  // that have not ended
    std::map<int, operation> operations_;
    std::map<int, char> queues_;  // that exist
    std::vector<int> told_;
    std::vector<int> abandoned_;
    std::vector<std::string> events_;
};

}  // namespace sluice::model::coordination
