// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/runner_step.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model::running {

// Why: what a queue runner promises, written down a second time, from docs/behaviour.md
// and not from the code. Workers take turns, in the order in which each became ready.

/// A worker, by the numbers of its runner and of itself.
struct worker_id
{
    int runner;
    int worker;

    bool operator==(const worker_id&) const = default;
};

[[nodiscard]] inline std::string name(worker_id id)
{
    return "r" + std::to_string(id.runner) + '/' + std::to_string(id.worker);
}

struct worker
{
    enum class state : unsigned char
    {
        idle,
        begins,
        waits,    // in a call of its operation
        returns,  // from that call, because of `why`
        ends
    };

    manner kind;
    state now = state::idle;
    int scope = -1;        // whose task it is; -1: of nobody
    bool stopped = false;  // a stop has reached it
    reason why = reason::none;
    int error = 0;
    int more = 0;  // how many calls return at once
};

struct runner
{
    bool exists = true;   // not destroyed; its workers may go on without it
    bool closed = false;  // its queue is
    std::vector<worker> workers = {};
    std::vector<int> failures = {};

    [[nodiscard]] bool is_running() const
    {
        return std::any_of(workers.begin(), workers.end(), [](const worker& w) {
            return w.now != worker::state::idle;
        });
    }
};

/// A coordinator.
struct scope
{
    bool exists = true;
    bool stopped = false;
    std::vector<int> errors = {};
    std::vector<int> queues = {};  // that a stop closes, by their runners
    std::vector<worker_id> tasks = {};
};

/// One line, to be compared: which queue is closed how, and which stops are known by then.
[[nodiscard]] inline std::string closing_of(
    int queue,
    closing how,
    int cause,
    const std::string& stops
)
{
    std::string text = "close q" + std::to_string(queue);
    if (how == closing::drain)
        text += ", drain";
    if (how == closing::with_cause)
        text += " because of " + std::to_string(cause);
    return text + "; stops: " + stops;
}

class runner_model
{
public:
    explicit runner_model(const cast& all) : scopes_(2), events_(all.size())
    {
        for (const std::vector<manner>& kinds : all)
            for (runner& r = runners_.emplace_back(); const manner kind : kinds)
                r.workers.push_back({kind});
    }

    void apply(const step& s)
    {
        for (std::vector<std::string>& events : events_)
            events.clear();
        switch (s.what) {
        case action::start:
            return start(s.runner, s.scope);
        case action::start_alone:
            return start(s.runner, -1);
        case action::finish:
            return finish({s.runner, s.worker}, s);
        case action::forget:
            return give({s.runner, s.worker}, reason::end_of_queue, 0);  // as quietly
        case action::close:
            return close(s.runner, s.how, s.error);
        case action::request_stop:
            return request_stop(scopes_.at(index(s.scope)), s);
        case action::clear_stop:
            scopes_.at(index(s.scope)).stopped = false;
            return scopes_.at(index(s.scope)).errors.clear();
        case action::destroy_scope:
            scopes_.at(index(s.scope)).exists = false;
            return stop(scopes_.at(index(s.scope)));
        case action::destroy_runner:
            runners_.at(index(s.runner)).exists = false;
            return;
        case action::lose_context:
            return lose_context();
        case action::run:
            return run();
        }
    }

    /// What was started, called and closed in the last step, in order. Between the workers of
    /// different runners there is none.
    [[nodiscard]] const std::vector<std::string>& events(int runner) const
    {
        return events_.at(index(runner));
    }

    [[nodiscard]] const std::vector<runner>& runners() const { return runners_; }

    [[nodiscard]] const std::vector<scope>& scopes() const { return scopes_; }

    /// Whether workers were started or stopped that have not come to know it.
    [[nodiscard]] bool is_unsettled() const { return unsettled_; }

    /// Whether the step can be taken now: the user has to see to that.
    [[nodiscard]] bool makes_sense(const step& s) const
    {
        const runner& r = runners_.at(index(s.runner));
        switch (s.what) {
        case action::start:
            return is_at_rest() && r.exists && scopes_.at(index(s.scope)).exists;
        case action::start_alone:
            return is_at_rest() && r.exists;
        case action::finish:
        case action::forget:
            return !unsettled_ && at({s.runner, s.worker}).now == worker::state::waits;
        case action::destroy_runner:
            return r.exists;
        case action::request_stop:
        case action::destroy_scope:
            return scopes_.at(index(s.scope)).exists;
        case action::clear_stop:
            return scopes_.at(index(s.scope)).exists &&
                   scopes_.at(index(s.scope)).stopped;
        default:
            return true;
        }
    }

private:
    static std::size_t index(int number) { return static_cast<std::size_t>(number); }

    worker& at(worker_id id)
    {
        return runners_.at(index(id.runner)).workers.at(index(id.worker));
    }

    [[nodiscard]] const worker& at(worker_id id) const
    {
        return runners_.at(index(id.runner)).workers.at(index(id.worker));
    }

    // Those who begin need several turns of the context, so nobody else may be waiting for one.
    [[nodiscard]] bool is_at_rest() const { return !unsettled_ && line_.empty(); }

    void note(int runner, std::string event)
    {
        events_.at(index(runner)).push_back(std::move(event));
    }

    // A run --------------------------------------------------------------------------------

    // S17: not in a scope that is stopped. The failures are those of this run.
    void start(int number, int where)
    {
        runner& r = runners_.at(index(number));
        if (where >= 0 && scopes_.at(index(where)).stopped)
            return note(number, "stopped");
        if (r.is_running())
            return note(number, "runs already");
        note(number, "started");
        unsettled_ = true;
        r.failures.clear();
        if (where >= 0)
            scopes_.at(index(where)).queues.push_back(number);
        for (std::size_t i = 0; i != r.workers.size(); ++i)
            begin({number, static_cast<int>(i)}, where);
    }

    void begin(worker_id id, int where)
    {
        worker& w = at(id);
        w.now = worker::state::begins;
        w.scope = where;
        w.stopped = false;
        if (where >= 0)
            scopes_.at(index(where)).tasks.push_back(id);
        line_.push_back(id);
    }

    void run()
    {
        while (!line_.empty()) {
            const worker_id id = line_.front();
            line_.pop_front();
            const worker w = at(id);
            if (w.now == worker::state::begins || w.why == reason::none)
                repeat(id);
            else
                end(id, w.why, w.error);
        }
        unsettled_ = false;
    }

    // Whatever a worker was about to say is lost with it. (P12)
    void lose_context()
    {
        line_.clear();
        for (int r = 0; index(r) != runners_.size(); ++r)
            for (int w = 0; index(w) != runners_[index(r)].workers.size(); ++w)
                if (at({r, w}).now != worker::state::idle)
                    end({r, w}, reason::none, 0);
        for (scope& c : scopes_)
            if (std::exchange(c.exists, false))
                stop(c);
        unsettled_ = false;
    }

    // Until a call has to wait, or is the last.
    void repeat(worker_id id)
    {
        worker& w = at(id);
        for (;; --w.more) {
            if (w.stopped)
                return end(id, reason::none, 0);
            note(id.runner, "call " + name(id));
            if (w.kind == manner::producer && runners_.at(index(id.runner)).closed)
                return end(id, reason::queue_closed, 0);
            if (w.more == 0)
                break;
        }
        w.now = worker::state::waits;
    }

    void finish(worker_id id, const step& s)
    {
        at(id).more = s.more;
        give(id, s.why, s.error);
    }

    void give(worker_id id, reason why, int error)
    {
        worker& w = at(id);
        w.now = worker::state::returns;
        w.why = why;
        w.error = error;
        line_.push_back(id);
    }

    // D12: an end of the input is quiet. A failure stops the scope before the queue is closed;
    // D10: without a scope it is what the last worker closes the queue with.
    void end(worker_id id, reason why, int error)
    {
        runner& r = runners_.at(index(id.runner));
        worker& w = at(id);
        const bool failed = why == reason::broken || why == reason::harmless ||
                            (why == reason::aborted && !w.stopped);
        w.now = worker::state::ends;
        if (failed && w.scope < 0)
            r.failures.push_back(error);
        else if (failed && why != reason::harmless)
            fail(scopes_.at(index(w.scope)), error);
        w.now = worker::state::idle;
        if (!r.is_running())
            close_after_run(id.runner);
        if (w.scope >= 0)
            std::erase(scopes_.at(index(w.scope)).tasks, id);
        w.scope = -1;
    }

    void close_after_run(int number)
    {
        const std::vector<int>& failures = runners_.at(index(number)).failures;
        if (failures.empty())
            close(number, closing::drain, 0);
        else
            close(number, closing::with_cause, failures.front());
    }

    // Stopping and closing -------------------------------------------------------------------

    void request_stop(scope& c, const step& s)
    {
        s.why == reason::broken ? fail(c, s.error) : stop(c);
    }

    void fail(scope& c, int error)
    {
        c.errors.push_back(error);
        stop(c);
    }

    // Queues are closed before tasks are cancelled.
    void stop(scope& c)
    {
        if (std::exchange(c.stopped, true))
            return;
        unsettled_ = true;
        for (const worker_id id : c.tasks)
            at(id).stopped = true;
        for (const int queue : std::exchange(c.queues, {}))
            close(queue, closing::cancel_pending, 0);
        for (const worker_id id : c.tasks)
            if (at(id).now == worker::state::waits && at(id).kind != manner::deaf)
                give(id, reason::aborted, 0);
    }

    void close(int queue, closing how, int cause)
    {
        std::string stops;
        for (const scope& c : scopes_)
            stops += !c.exists ? '-' : c.stopped ? '1' : '0';
        note(queue, closing_of(queue, how, cause, stops));
        runner& r = runners_.at(index(queue));
        r.closed = true;
        if (how == closing::drain)
            return;
        for (std::size_t i = 0; i != r.workers.size(); ++i)
            if (const worker& w = r.workers[i];
                w.now == worker::state::waits && w.kind == manner::producer)
                give({queue, static_cast<int>(i)}, reason::queue_closed, 0);
    }

    bool unsettled_ = false;
    std::vector<runner> runners_;
    std::vector<scope> scopes_;
    std::deque<worker_id> line_;                    // those that are ready
    std::vector<std::vector<std::string>> events_;  // of each runner
};

}  // namespace sluice::model::running
