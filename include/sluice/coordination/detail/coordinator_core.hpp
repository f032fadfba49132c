// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/closed_queue.hpp>
#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/detail/stop_list.hpp>
#include <sluice/coordination/detail/task_record.hpp>
#include <sluice/detail/waiting/closable.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/detail/waiting/wait_log.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sluice::detail {

class supervised_task;

using task_ptr = std::shared_ptr<supervised_task>;

// A task as the coordinator sees it.
class supervised_task : public stop_member<task_ptr>
{
public:
    // The companion is kept until the task has ended.
    explicit supervised_task(
        record_ptr record,
        std::shared_ptr<void> companion = nullptr,
        boost::intrusive_ptr<wait_log> log = new wait_log
    )
        : record_(std::move(record)),
          log_(std::move(log)),
          companion_(std::move(companion))
    {
    }

    supervised_task(const supervised_task&) = delete;
    supervised_task& operator=(const supervised_task&) = delete;
    virtual ~supervised_task() = default;

    // Cancels what the task awaits, where the task runs. Called once for each stop.
    virtual void cancel() noexcept = 0;

    // A cancellation of this task alone is on its way.
    void set_cancelled() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

    [[nodiscard]] bool was_cancelled() const noexcept
    {
        return cancelled_.load(std::memory_order_relaxed);
    }

    // A stop reached this task. That stays true if the scope begins anew without it.
    void set_stopped() noexcept { stopped_.store(true, std::memory_order_relaxed); }

    [[nodiscard]] bool was_stopped() const noexcept
    {
        return stopped_.load(std::memory_order_relaxed);
    }

    // See (C4).
    void release_companion() noexcept { companion_ = nullptr; }

    // The body of a scope (C8). Said before the task is added.
    void set_body() noexcept { is_body_ = true; }

    [[nodiscard]] bool is_body() const noexcept { return is_body_; }

    [[nodiscard]] const std::string& name() const noexcept { return record_->name(); }

    [[nodiscard]] task_record& record() const noexcept { return *record_; }

    [[nodiscard]] wait_log& log() const noexcept { return *log_; }

    [[nodiscard]] task_info info() const
    {
        wait_log::reading now = log_->read();
        return {
            name(),
            std::move(now.text),
            now.since,
            now.is_ready,
            now.is_running,
            record_->spawned_at()
        };
    }

private:
    const record_ptr record_;
    const boost::intrusive_ptr<wait_log> log_;
    std::shared_ptr<void> companion_;
    std::atomic<bool> stopped_{false};
    std::atomic<bool> cancelled_{false};
    bool is_body_ = false;
};

// wait_for_stop().
class stop_waiter : public waiter
{
public:
    static constexpr unsigned char list = 0;

    explicit stop_waiter(wait_hub* hub = nullptr) noexcept : waiter(list, hub) {}

protected:
    ~stop_waiter() = default;
};

// join(). Never a branch of a select, so it has no commit flag.
class join_waiter : public waiter
{
public:
    static constexpr unsigned char list = 1;

    explicit join_waiter(wait_hub* hub = nullptr) noexcept : waiter(list, hub) {}

    // When its grace period ends; empty while no stop is requested. Guarded by the mutex of the
    // coordinator.
    std::optional<time_limit::clock::time_point> due;

protected:
    ~join_waiter() = default;
};

// What waits for the end of a scope. Told once, and may be gone afterwards.
class scope_owner
{
public:
    virtual void scope_ended() noexcept = 0;

protected:
    ~scope_owner() = default;
};

// How a scope has ended.
struct scope_ending
{
    std::exception_ptr error;  // the first one
    bool was_cut = false;      // it was cancelled or destroyed before the end
};

// Who requests a stop, and the error of another scope behind it.
struct stop_origin
{
    closer by = closer::stop;
    std::exception_ptr cause = nullptr;
};

// What waits for the end of one task, in a list of the task's own.
class task_waiter : public waiter
{
public:
    static constexpr unsigned char list = 2;

    // The handle that it came from, and the coordinator, may be gone before it is started.
    struct arguments
    {
        hub_ptr scope;
        record_ptr record;
    };

    explicit task_waiter(arguments&& args) noexcept
        : waiter(list, args.scope.get()), args_(std::move(args))
    {
    }

    [[nodiscard]] task_record& record() const noexcept { return *args_.record; }

protected:
    ~task_waiter() = default;

private:
    const arguments args_;
};

// The state machine of a coordinator.
//
//   running ──request_stop──▶ stopping ──join──▶ joined     clear_stop leads back to running
//
// (C1) The flag is set once; the thread that sets it carries out the stop, outside
//      the lock: registered queues are closed, then tasks cancelled, then children stopped.
// (C2) error_ is the first exception that is not clean and not a consequence of the stop.
// (C3) live_ counts the tasks of this coordinator and of its children that have not ended.
//      A join is decided when it is 0.
// (C4) A task that ends reports its exception, then lets go of its companion, and then stops
//      being counted. So what the companion does (closing a queue) is never taken for an end
//      without an error, and no join misses either.
// (C5) A parent's lock and a child's are never held together.
// (C6) A stop takes no memory: what it tells is linked in lists (stop_list).
// (C7) A child of a stopped parent is stopped. A new one, and one that is cleared, looks for
//      itself, because the parent tells its children once.
// (C8) A scope, which has an owner, ends once: when live_ and held_ are 0. held_ counts its body,
//      which join() does not wait for, and all else during which the owner must stay. Afterwards
//      no task begins. Its errors go to the owner, not to the parent.
// (C9) The queues of a stop are closed with the error behind it: error_, or that of the parent.
//      So it may come back through any task, and is recorded once.
// (C10) A task that is to be cancelled alone is marked under the lock before the cancellation is
//      sent, and only while it runs. So it cannot end with the consequence before it has the mark.
// (C11) A task is told to have ended after its exception was reported and its companion let go
//      (C4), and before a join is.
class coordinator_core : public wait_hub,
                         public stop_member<boost::intrusive_ptr<coordinator_core>>
{
public:
    using clock = time_limit::clock;
    using core_ptr = boost::intrusive_ptr<coordinator_core>;

    coordinator_core(coordinator_options options, core_ptr parent);

    // Stopping ------------------------------------------------------------------------------

    [[nodiscard]] bool should_stop() const noexcept
    {
        // acquire: code that acts on the stop sees what was written before the request
        return stopping_.load(std::memory_order_acquire);
    }

    // Whether it was this call that requested the stop.
    bool request_stop(std::exception_ptr cause, closer by = closer::stop) noexcept;

    // A stop for an error that is one although its code is that of a clean end.
    void fail(const std::exception_ptr& error) noexcept;

    // Strong guarantee.
    void clear_stop();

    void rethrow_requested_exception() const;

    [[nodiscard]] std::stop_token get_stop_token() const;

    [[nodiscard]] bool joined() const noexcept;

    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const;

    // Queues --------------------------------------------------------------------------------

    // Closes the queue when the stop is requested; now, if it has been. O(1): looks at two of the
    // others, and forgets those that are gone.
    void close_on_stop(closable_ptr queue, close_mode mode);

    // The queues that the last stop found registered, those of children included.
    [[nodiscard]] std::vector<closed_queue> closed_queues() const;

    // Tasks ---------------------------------------------------------------------------------

    // Throws stop_requested on a stopped scope. Nothing has changed if it throws.
    void add_task(task_ptr task);

    // O(1) without a stop.
    void task_ended(const task_ptr& task, const std::exception_ptr& exception) noexcept;

    // The task never began, perhaps for a reason that there is, or was destroyed halfway.
    void task_dropped(
        const task_ptr& task,
        const std::exception_ptr& why = nullptr
    ) noexcept;

    // Operations that wait for a task that add_task() has refused are told why.
    void task_refused(task_record& record, const std::exception_ptr& why) noexcept;

    // The task, to be cancelled alone by the caller; null if it does not run (C10).
    [[nodiscard]] task_ptr begin_cancellation(const task_record& record) noexcept;

    [[nodiscard]] task_state state_of(const task_record& record) const noexcept;

    [[nodiscard]] std::vector<task_info> tasks() const;

    // The tasks that have not ended, those of children included.
    [[nodiscard]] std::vector<task_ptr> running_tasks() const;

    // The scope ---------------------------------------------------------------------------------

    // Makes it a scope, which does not end before let_go(). Called before there are tasks.
    void hold_for(scope_owner& owner) noexcept;

    // May tell the owner, so that *this and what the scope refers to may be gone.
    void let_go() noexcept;

    // A stop, with that error unless it is clean. A clean one leaves the scope all the same, as it
    // leaves a function.
    void fail_scope(const std::exception_ptr& error) noexcept;

    // The body has thrown. What the stop causes does not leave the scope.
    void body_failed(const std::exception_ptr& error) noexcept;

    // The body was destroyed with its context. That is a cut, too, unless there was a stop.
    void body_destroyed() noexcept;

    // The coroutine that awaits the scope is cancelled. Does nothing after the end of the scope.
    void cut() noexcept;

    // Once it has ended.
    [[nodiscard]] scope_ending ending() const;

    // Waiting -------------------------------------------------------------------------------

    [[nodiscard]] bool start(waiter& w, delivery how, wait_mode mode) noexcept override;

    // When time_passed() is to be called next; empty if there is nothing to be done in time.
    [[nodiscard]] std::optional<clock::time_point> next_due() const noexcept;

    // Fails the joins whose grace period is over, and reports the tasks that are overdue.
    void time_passed(clock::time_point now);

    // Beginning and end ------------------------------------------------------------------

    // Called once, after the construction: the parent knows it from now on.
    void join_parent();

    // The coordinator is being destroyed: stops, and leaves its contexts and the parent once
    // nothing runs and its children have left.
    void shut_down() noexcept;

    // Destroyed, and without a task: nothing will change any more.
    [[nodiscard]] bool is_over() const noexcept;

    [[nodiscard]] std::string describe() const override { return "coordinator"; }

    [[nodiscard]] const coordinator_options& options() const noexcept { return options_; }

protected:
    ~coordinator_core() override = default;

    // A stop was requested, or next_due() may have changed. Called without a lock; takes no
    // memory (C6).
    virtual void changed() noexcept = 0;

    // When a grace period begins. A test may have a time of its own.
    [[nodiscard]] virtual clock::time_point now() const noexcept { return clock::now(); }

private:
    class scope_hold;

    struct registered_queue
    {
        closable_ptr queue;
        close_mode mode;
    };

    using queue_list = std::list<registered_queue>;

    // What the stop is told to besides the members of the stop lists.
    struct stop_effects
    {
        queue_list queues;
        std::stop_source source;
        stop_origin origin;  // with the error of this scope, if it has one
        const void* scope;
    };

    [[nodiscard]] static bool is_consequence_of_stop(const std::exception_ptr& exception
    ) noexcept;

    // `stopped`: whether the exception may be a consequence of a stop.
    [[nodiscard]] bool is_clean(const std::exception_ptr& exception, bool stopped)
        const noexcept;

    // How a task counts that has ended with the exception.
    [[nodiscard]] task_state judge(
        const supervised_task& task,
        const std::exception_ptr& exception
    ) const noexcept;

    void end_task(
        const task_ptr& task,
        const std::exception_ptr& exception,
        task_state state
    ) noexcept;

    // Under mutex_.
    void end_record(
        task_record& record,
        const std::exception_ptr& exception,
        task_state state,
        critical_section& section
    ) noexcept;
    void serve_waiters_of(task_record& record, critical_section& section) noexcept;

    // Requests a stop for a real error, or without one; whether it was this that did.
    bool report(const std::exception_ptr& error, const stop_origin& origin = {}) noexcept;

    // Records the error and sets the flag; the effects, if it was this that set the flag.
    std::optional<stop_effects> begin_stop(
        const std::exception_ptr& error,
        const stop_origin& origin,
        critical_section& section
    ) noexcept;
    void carry_out(stop_effects effects) noexcept;
    void end_closing(queue_list& closed) noexcept;

    // Under mutex_. Moves registered queues that are gone.
    void take_gone_queues(queue_list& gone) noexcept;

    // Under mutex_.
    [[nodiscard]] bool is_known(const std::exception_ptr& error) const noexcept;
    [[nodiscard]] std::exception_ptr why_stopped() const noexcept;

    void follow_parent() noexcept;
    void begin_child_task();
    void count_down() noexcept;
    void leave_if_over() noexcept;

    [[nodiscard]] clock::time_point end_of_grace_period() const noexcept;
    // Under mutex_.
    [[nodiscard]] std::optional<clock::time_point> next_join_due() const noexcept;
    void tell_overdue() noexcept;
    void expire_joins(clock::time_point now);
    [[nodiscard]] bool become_overdue(clock::time_point now) noexcept;
    void end_grace_period(clock::time_point now) noexcept;

    // Under mutex_.
    [[nodiscard]] bool anything_runs() const noexcept { return live_ + held_ > 0; }
    [[nodiscard]] bool has_ended() const noexcept
    {
        return is_scope_ && owner_ == nullptr;
    }
    // Null unless the scope ends now.
    [[nodiscard]] scope_owner* take_owner_at_end() noexcept;

    [[nodiscard]] waiter_list& list_of(waiter& w) noexcept;
    void serve(critical_section& section) noexcept override;
    void collect(const void* context, waiter_list& abandoned) noexcept override;

    const coordinator_options options_;
    const core_ptr parent_;  // null at the top
    std::atomic<bool> stopping_{false};

    // Guarded by mutex_.
    bool joined_ = false;
    bool orphaned_ = false;  // shut_down() has been called
    std::exception_ptr error_;
    std::vector<std::exception_ptr> exceptions_;
    std::stop_source stop_source_;
    stop_origin origin_;  // of the stop; what its queues were closed with
    queue_list queues_;
    queue_list::iterator next_look_ = queues_.end();  // the queue that is looked at next
    queue_list closed_;                               // by the stop
    stop_list<supervised_task, task_ptr> tasks_;
    stop_list<coordinator_core, core_ptr> children_;
    std::size_t live_ = 0;
    // When the tasks that still run are overdue; empty if that is not to be reported.
    std::optional<clock::time_point> overdue_;

    // Of a scope (C8).
    bool is_scope_ = false;  // not changed once there are tasks
    scope_owner* owner_ = nullptr;
    std::size_t held_ = 0;
    bool was_cut_ = false;
    std::exception_ptr failure_;     // besides error_
    std::exception_ptr stragglers_;  // if the grace period has passed
    std::optional<clock::time_point> end_of_grace_period_;

    waiter_list stop_waiters_;
    waiter_list join_waiters_;
};

}  // namespace sluice::detail
