// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_core.hpp>

#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

namespace sluice {

bool is_clean_stop(const std::exception_ptr& exception) noexcept
{
    return detail::code_of(exception, {}) == condition::clean_stop;
}

namespace detail {
namespace {

// What a stop causes in a healthy task: its operations are cancelled and its queues closed.
bool is_consequence_of_stop(const std::exception_ptr& exception) noexcept
{
    const error_code code = detail::code_of(exception, {});
    return code == boost::asio::error::operation_aborted || code == condition::clean_stop;
}

// What a cancellation causes in one.
bool is_aborted(const std::exception_ptr& exception) noexcept
{
    return detail::code_of(exception, {}) == boost::asio::error::operation_aborted;
}

std::string list_stragglers(
    const std::vector<task_info>& tasks,
    const std::vector<closed_queue>& queues
)
{
    std::string text = std::to_string(tasks.size()) +
                       (tasks.size() == 1 ? " task" : " tasks");
    for (const task_info& task : tasks)
        text += (&task == &tasks.front() ? ": " : "; ") + to_string(task);
    for (const closed_queue& queue : queues)
        text += "; " + to_string(queue);
    return text;
}

}  // namespace

// A scope does not end while on_overdue is called, which may refer to what dies with it.
class coordinator_core::scope_hold
{
public:
    explicit scope_hold(coordinator_core& core) noexcept : core_(core)
    {
        const std::lock_guard lock(core.mutex_);
        is_held_ = core.owner_ != nullptr;
        core.held_ += is_held_ ? 1 : 0;
    }

    scope_hold(const scope_hold&) = delete;
    scope_hold& operator=(const scope_hold&) = delete;

    ~scope_hold()
    {
        if (is_held_)
            core_.let_go();
    }

private:
    coordinator_core& core_;
    bool is_held_;
};

coordinator_core::coordinator_core(coordinator_options options, core_ptr parent)
    : options_(std::move(options)), parent_(std::move(parent))
{
}

// Stopping ----------------------------------------------------------------------------------

bool coordinator_core::request_stop(std::exception_ptr cause, closer by) noexcept
{
    if (cause && is_clean(cause, should_stop()))
        cause = nullptr;
    return report(cause, {by});
}

// The flag is set before a stop closes anything, so what it causes is seen here as that.
void coordinator_core::fail(const std::exception_ptr& error) noexcept
{
    if (!should_stop())
        report(error);
}

bool coordinator_core::is_clean(const std::exception_ptr& exception, bool stopped)
    const noexcept
{
    try {
        if (options_.is_clean_stop && options_.is_clean_stop(exception))
            return true;
    } catch (...) {
        // it does not know the exception, so it has not said that this is clean (S56)
    }
    return stopped && is_consequence_of_stop(exception);
}

bool coordinator_core::report(
    const std::exception_ptr& error,
    const stop_origin& origin
) noexcept
{
    // a waiter that is woken may destroy the coordinator before we return
    const core_ptr self(this);
    // What is left of the error behind a stop when it has been a code.
    const bool is_remnant = code_of(error, {}) == errc::input_failed;
    std::optional<stop_effects> effects;
    {
        critical_section section(*this);
        if (error && (is_known(error) || (is_remnant && why_stopped())))
            return false;
        effects = begin_stop(error, origin, section);
    }
    const bool requested = effects.has_value();
    if (requested) {
        carry_out(std::move(*effects));
        changed();
    }
    if (error && parent_ && !is_scope_)
        parent_->report(error);
    return requested;
}

// (C9)
bool coordinator_core::is_known(const std::exception_ptr& error) const noexcept
{
    return error == error_ || error == origin_.cause ||
           std::find(exceptions_.begin(), exceptions_.end(), error) != exceptions_.end();
}

std::exception_ptr coordinator_core::why_stopped() const noexcept
{
    return error_ ? error_ : origin_.cause;
}

std::optional<coordinator_core::stop_effects> coordinator_core::begin_stop(
    const std::exception_ptr& error,
    const stop_origin& origin,
    critical_section& section
) noexcept
{
    if (error) {
        if (!error_)
            error_ = error;  // (C2)
        try {
            exceptions_.push_back(error);
        } catch (const std::bad_alloc&) {
            // perhaps what the error is about; the list goes without it
        }
    }
    if (stopping_.load(std::memory_order_relaxed))
        return std::nullopt;
    // First, because a task may end as soon as it sees the flag.
    tasks_.for_each([](const task_ptr& task) { task->set_stopped(); });
    tasks_.mark_all();
    children_.mark_all();
    origin_ = origin;
    stopping_.store(true, std::memory_order_release);
    const auto due = end_of_grace_period();
    for (waiter& w : join_waiters_)
        static_cast<join_waiter&>(w).due = due;
    if (options_.on_overdue)
        overdue_ = time_limit::within(options_.overdue_after).deadline(now());
    if (is_scope_)
        end_of_grace_period_ = due;
    ++live_;  // until the queues are closed, so that a join finds all of them in the list
    serve(section);
    stop_effects effects{
        std::exchange(queues_, {}),
        stop_source_,
        {origin_.by, why_stopped()},
        this
    };
    next_look_ = queues_.end();
    return effects;
}

void coordinator_core::carry_out(stop_effects effects) noexcept
{
    for (const auto& [queue, mode] : effects.queues)
        queue->close({mode, effects.origin.by, effects.origin.cause, effects.scope});
    end_closing(effects.queues);
    const auto next_of = [this](auto& list) {
        const std::lock_guard lock(mutex_);
        return list.take_untold();
    };
    while (const task_ptr task = next_of(tasks_))
        task->cancel();
    while (const core_ptr child = next_of(children_))
        child->report(nullptr, {closer::parent, effects.origin.cause});
    effects.source.request_stop();
}

void coordinator_core::end_closing(queue_list& closed) noexcept
{
    scope_owner* owner = nullptr;
    {
        critical_section section(*this);
        closed_.splice(closed_.end(), closed);
        --live_;
        serve(section);
        owner = take_owner_at_end();
    }
    leave_if_over();
    if (owner != nullptr)
        owner->scope_ended();
}

void coordinator_core::clear_stop()
{
    std::vector<std::exception_ptr> forgotten;  // error_ is one of them
    std::exception_ptr stragglers;
    stop_origin origin;
    queue_list closed;
    std::stop_source fresh;
    {
        const std::lock_guard lock(mutex_);
        stopping_.store(false, std::memory_order_release);
        joined_ = false;
        overdue_.reset();
        end_of_grace_period_.reset();
        error_ = nullptr;
        std::swap(origin_, origin);
        closed.swap(closed_);
        stragglers.swap(stragglers_);
        exceptions_.swap(forgotten);
        stop_source_.swap(fresh);
    }
    follow_parent();
}

void coordinator_core::rethrow_requested_exception() const
{
    std::exception_ptr error;
    {
        const std::lock_guard lock(mutex_);
        error = error_;
    }
    if (error)
        std::rethrow_exception(error);
}

std::stop_token coordinator_core::get_stop_token() const
{
    const std::lock_guard lock(mutex_);
    return stop_source_.get_token();
}

bool coordinator_core::joined() const noexcept
{
    const std::lock_guard lock(mutex_);
    return joined_;
}

std::vector<std::exception_ptr> coordinator_core::exceptions() const
{
    const std::lock_guard lock(mutex_);
    return exceptions_;
}

// Queues ------------------------------------------------------------------------------------

void coordinator_core::close_on_stop(closable_ptr queue, close_mode mode)
{
    queue_list added{{queue, mode}};
    queue_list gone;  // released after the lock
    stop_origin origin;
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_.load(std::memory_order_relaxed)) {
            take_gone_queues(gone);
            queues_.splice(queues_.end(), added);
            return;
        }
        origin = {origin_.by, why_stopped()};
    }
    queue->close({mode, origin.by, origin.cause, this});
}

std::vector<closed_queue> coordinator_core::closed_queues() const
{
    queue_list queues;
    std::vector<core_ptr> children;
    {
        const std::lock_guard lock(mutex_);
        queues = closed_;
        children_.for_each([&](const core_ptr& child) { children.push_back(child); });
    }
    std::vector<closed_queue> closed;
    for (const registered_queue& each : queues) {
        const closable::ending ending = each.queue->how_it_ended();
        closed.push_back({each.queue->name(), ending.end, ending.left});
    }
    for (const core_ptr& child : children)
        for (closed_queue& queue : child->closed_queues())
            closed.push_back(std::move(queue));
    return closed;
}

// As one comes two of the others are looked at, in turn. So one that is gone is forgotten before
// half as many have come as there are.
void coordinator_core::take_gone_queues(queue_list& gone) noexcept
{
    for (int looks = 0; looks < 2; ++looks) {
        if (next_look_ == queues_.end())
            next_look_ = queues_.begin();
        if (next_look_ == queues_.end())
            return;
        const auto seen = next_look_++;
        if (seen->queue->is_orphaned())
            gone.splice(gone.end(), queues_, seen);
    }
}

// Tasks -------------------------------------------------------------------------------------

void coordinator_core::add_task(task_ptr task)
{
    if (parent_)
        parent_->begin_child_task();
    try {
        const std::lock_guard lock(mutex_);
        if (should_stop() || has_ended())
            throw system_error(
                errc::stop_requested,
                "task '" + task->name() + "' was not started"
            );
        task->record().running_ = task;
        std::size_t& count = task->is_body() ? held_ : live_;
        tasks_.push_back(std::move(task));
        ++count;
    } catch (...) {
        if (parent_)
            parent_->count_down();
        throw;
    }
}

void coordinator_core::begin_child_task()
{
    if (parent_)
        parent_->begin_child_task();
    {
        const std::lock_guard lock(mutex_);
        if (!has_ended()) {
            ++live_;
            return;
        }
    }
    if (parent_)
        parent_->count_down();
    throw system_error(errc::stop_requested, "the scope of the parent has ended");
}

void coordinator_core::task_ended(
    const task_ptr& task,
    const std::exception_ptr& exception
) noexcept
{
    const task_state state = judge(*task, exception);
    if (state == task_state::failed)
        report(exception);  // (C4)
    end_task(task, exception, state);
}

void coordinator_core::task_dropped(
    const task_ptr& task,
    const std::exception_ptr& why
) noexcept
{
    end_task(task, why, task_state::cancelled);
}

task_state coordinator_core::judge(
    const supervised_task& task,
    const std::exception_ptr& exception
) const noexcept
{
    if (!exception)
        return task_state::completed;
    const bool was_stopped = task.was_stopped();
    if ((was_stopped || task.was_cancelled()) && is_aborted(exception))
        return task_state::cancelled;
    return is_clean(exception, was_stopped) ? task_state::completed : task_state::failed;
}

void coordinator_core::end_task(
    const task_ptr& task,
    const std::exception_ptr& exception,
    task_state state
) noexcept
{
    task->release_companion();
    {
        critical_section section(*this);
        (void)tasks_.erase(*task);  // the caller has a reference
        end_record(task->record(), exception, state, section);
    }
    if (!task->is_body()) {
        count_down();
        return;
    }
    if (parent_)
        parent_->count_down();
    let_go();
}

void coordinator_core::end_record(
    task_record& record,
    const std::exception_ptr& exception,
    task_state state,
    critical_section& section
) noexcept
{
    record.running_.reset();
    record.state_ = state;
    record.failure_ = exception;
    serve_waiters_of(record, section);
}

void coordinator_core::task_refused(
    task_record& record,
    const std::exception_ptr& why
) noexcept
{
    critical_section section(*this);
    if (record.state_ == task_state::running)
        end_record(record, why, task_state::failed, section);
}

task_ptr coordinator_core::begin_cancellation(const task_record& record) noexcept
{
    const std::lock_guard lock(mutex_);
    task_ptr task = record.running_.lock();
    if (task)
        task->set_cancelled();
    return task;
}

task_state coordinator_core::state_of(const task_record& record) const noexcept
{
    const std::lock_guard lock(mutex_);
    return record.state_;
}

void coordinator_core::count_down() noexcept
{
    scope_owner* owner = nullptr;
    {
        critical_section section(*this);
        --live_;
        serve(section);
        owner = take_owner_at_end();
    }
    changed();
    if (parent_)
        parent_->count_down();
    leave_if_over();
    if (owner != nullptr)
        owner->scope_ended();
}

std::vector<task_info> coordinator_core::tasks() const
{
    std::vector<task_info> infos;
    for (const task_ptr& task : running_tasks())
        infos.push_back(task->info());
    return infos;
}

std::vector<task_ptr> coordinator_core::running_tasks() const
{
    std::vector<task_ptr> tasks;
    std::vector<core_ptr> children;
    {
        const std::lock_guard lock(mutex_);
        tasks_.for_each([&](const task_ptr& task) { tasks.push_back(task); });
        children_.for_each([&](const core_ptr& child) { children.push_back(child); });
    }
    for (const core_ptr& child : children)
        for (task_ptr& task : child->running_tasks())
            tasks.push_back(std::move(task));
    return tasks;
}

// The scope ---------------------------------------------------------------------------------

void coordinator_core::hold_for(scope_owner& owner) noexcept
{
    const std::lock_guard lock(mutex_);
    is_scope_ = true;
    owner_ = &owner;
    ++held_;
}

void coordinator_core::let_go() noexcept
{
    scope_owner* owner = nullptr;
    {
        const std::lock_guard lock(mutex_);
        --held_;
        owner = take_owner_at_end();
    }
    if (owner == nullptr)
        return;
    changed();
    owner->scope_ended();
}

scope_owner* coordinator_core::take_owner_at_end() noexcept
{
    return anything_runs() ? nullptr : std::exchange(owner_, nullptr);
}

void coordinator_core::fail_scope(const std::exception_ptr& error) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        failure_ = error;
    }
    request_stop(error);
}

void coordinator_core::body_failed(const std::exception_ptr& error) noexcept
{
    if (!should_stop() || !is_consequence_of_stop(error))
        fail_scope(error);
}

void coordinator_core::body_destroyed() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        was_cut_ = was_cut_ || !should_stop();
    }
    report(nullptr);  // its tasks may live in another context
}

void coordinator_core::cut() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (has_ended())
            return;
        was_cut_ = true;
    }
    report(nullptr);
}

scope_ending coordinator_core::ending() const
{
    const std::lock_guard lock(mutex_);
    for (const std::exception_ptr& error : {error_, failure_, stragglers_})
        if (error)
            return {error, was_cut_};
    return {nullptr, was_cut_};
}

// Waiting -----------------------------------------------------------------------------------

bool coordinator_core::start(waiter& w, delivery how, wait_mode mode) noexcept
{
    switch (w.list_) {
    case stop_waiter::list:
        return start(static_cast<stop_waiter&>(w), how, mode);
    case join_waiter::list:
        return start(static_cast<join_waiter&>(w), how, mode);
    default:
        return start(static_cast<task_waiter&>(w), how, mode);
    }
}

bool coordinator_core::start(stop_waiter& w, delivery how, wait_mode mode) noexcept
{
    critical_section section(*this);
    if (w.failed() && !has_last_attempt(w, mode)) {
        section.decide(w);
    } else {
        section.append(stop_waiters_, w);
        serve(section);
    }
    return conclude(w, how, mode, section);
}

bool coordinator_core::start(join_waiter& w, delivery how, wait_mode mode) noexcept
{
    // a waiter that is told may destroy the coordinator before we return
    const core_ptr self(this);
    bool complete = false;
    {
        critical_section section(*this);
        if (w.failed() && !has_last_attempt(w, mode)) {
            section.decide(w);
        } else {
            if (should_stop())
                w.due = end_of_grace_period();
            section.append(join_waiters_, w);
            serve(section);
        }
        complete = conclude(w, how, mode, section);
    }
    if (!complete)
        changed();
    return complete;
}

bool coordinator_core::start(task_waiter& w, delivery how, wait_mode mode) noexcept
{
    critical_section section(*this);
    if (w.failed() && !has_last_attempt(w, mode)) {
        section.decide(w);
    } else {
        section.append(w.record().waiters_, w);
        if (w.record().state_ != task_state::running)
            serve_waiters_of(w.record(), section);
    }
    return conclude(w, how, mode, section);
}

coordinator_core::clock::time_point coordinator_core::end_of_grace_period() const noexcept
{
    return time_limit::within(options_.stop_grace_period).deadline(now());
}

std::optional<coordinator_core::clock::time_point> coordinator_core::next_due(
) const noexcept
{
    const std::lock_guard lock(mutex_);
    auto earliest = next_join_due();
    if (anything_runs())
        for (const auto& due : {overdue_, end_of_grace_period_})
            if (due && (!earliest || *due < *earliest))
                earliest = due;
    return earliest;
}

std::optional<coordinator_core::clock::time_point> coordinator_core::next_join_due(
) const noexcept
{
    std::optional<clock::time_point> earliest;
    for (const waiter& w : join_waiters_) {
        const auto& due = static_cast<const join_waiter&>(w).due;
        if (due && (!earliest || *due < *earliest))
            earliest = due;
    }
    return earliest;
}

void coordinator_core::time_passed(clock::time_point now)
{
    const scope_hold during_callbacks(*this);
    if (become_overdue(now))
        tell_overdue();
    end_grace_period(now);
    expire_joins(now);
    changed();
}

// The event loop that calls this is not the place for what the program throws (S56).
void coordinator_core::tell_overdue() noexcept
{
    try {
        const std::vector<task_info> running = tasks();
        if (!running.empty())
            options_.on_overdue(running);
    } catch (...) {
        report(std::current_exception());
    }
}

// Once for each stop. The scope goes on waiting.
void coordinator_core::end_grace_period(clock::time_point now) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (!end_of_grace_period_ || *end_of_grace_period_ > now)
            return;
        end_of_grace_period_.reset();
    }
    try {
        const std::vector<task_info> running = tasks();
        if (running.empty())
            return;
        const std::string list = list_stragglers(running, closed_queues());
        auto error = std::make_exception_ptr(system_error(errc::tasks_still_running, list)
        );
        {
            const std::lock_guard lock(mutex_);
            stragglers_ = std::move(error);
        }
        if (options_.on_overdue)
            options_.on_overdue(running);
        else
            (void
            )std::fprintf(stderr, "sluice: with_tasks() waits for %s\n", list.c_str());
    } catch (...) {
        report(std::current_exception());
    }
}

void coordinator_core::expire_joins(clock::time_point now)
{
    {
        const std::lock_guard lock(mutex_);
        const auto due = next_join_due();
        if (!due || *due > now)
            return;
    }
    std::exception_ptr stragglers;
    try {
        stragglers = std::make_exception_ptr(system_error(
            errc::tasks_still_running,
            list_stragglers(tasks(), closed_queues())
        ));
    } catch (const std::bad_alloc&) {
        // the join makes an error of the code alone
    }
    critical_section section(*this);
    for (auto it = join_waiters_.begin(); it != join_waiters_.end();) {
        auto& w = static_cast<join_waiter&>(*it++);
        if (!w.due || *w.due > now)
            continue;
        joined_ = true;
        section.decide_failed(w, errc::tasks_still_running, error_ ? error_ : stragglers);
    }
}

// Once for each stop, and not if the parent reports the tasks of its children.
bool coordinator_core::become_overdue(clock::time_point now) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (!overdue_ || *overdue_ > now)
            return false;
        overdue_.reset();
    }
    return !parent_ || !parent_->should_stop() || !parent_->options_.on_overdue;
}

void coordinator_core::serve(critical_section& section) noexcept
{
    if (stopping_.load(std::memory_order_relaxed))
        while (!stop_waiters_.empty()) {
            waiter& w = stop_waiters_.front();
            if (w.try_claim())
                section.decide(w);
            else
                drop(w);
        }
    if (live_ == 0)  // (C3)
        while (!join_waiters_.empty()) {
            waiter& w = join_waiters_.front();
            joined_ = true;
            if (error_)
                section.decide_failed(w, errc::stop_requested, error_);
            else
                section.decide(w);
        }
}

void coordinator_core::serve_waiters_of(
    task_record& record,
    critical_section& section
) noexcept
{
    while (!record.waiters_.empty()) {
        waiter& w = record.waiters_.front();
        if (w.try_claim())
            section.decide(w);
        else
            drop(w);
    }
}

void coordinator_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    collect_from(stop_waiters_, context, abandoned);
    collect_from(join_waiters_, context, abandoned);
    tasks_.for_each([&](const task_ptr& task) {
        collect_from(task->record().waiters_, context, abandoned);
    });
}

// Parent and children -----------------------------------------------------------------------

void coordinator_core::join_parent()
{
    if (parent_) {
        const std::lock_guard lock(parent_->mutex_);
        parent_->children_.push_back(this);
    }
    follow_parent();
}

// A stop that came before is not going to tell this child; one that comes later does (C7).
void coordinator_core::follow_parent() noexcept
{
    if (!parent_ || !parent_->should_stop())
        return;
    std::exception_ptr cause;
    {
        const std::lock_guard lock(parent_->mutex_);
        cause = parent_->why_stopped();
    }
    report(nullptr, {closer::parent, std::move(cause)});
}

void coordinator_core::shut_down() noexcept
{
    report(nullptr, {closer::coordinator});
    {
        const std::lock_guard lock(mutex_);
        orphaned_ = true;
        overdue_.reset();  // the callback may refer to what dies with the owner
    }
    leave_if_over();
}

bool coordinator_core::is_over() const noexcept
{
    const std::lock_guard lock(mutex_);
    return orphaned_ && !anything_runs();
}

// While tasks run, joins may wait that a context has to abandon, and the parent waits, too.
// While children are there, they may begin new tasks, which the parent knows through this.
void coordinator_core::leave_if_over() noexcept
{
    const core_ptr self(this);  // what it leaves may have the last reference
    // Handles of tasks keep *this, but no queues beyond its end.
    queue_list queues;
    queue_list closed;
    {
        const std::lock_guard lock(mutex_);
        if (!orphaned_ || anything_runs() || !children_.empty())
            return;
        queues.swap(queues_);
        next_look_ = queues_.end();
        closed.swap(closed_);
    }
    detach();
    if (!parent_)
        return;
    {
        const std::lock_guard lock(parent_->mutex_);
        (void)parent_->children_.erase(*this);  // the last reference is not this one
    }
    parent_->leave_if_over();  // perhaps it was kept by this child alone
}

}  // namespace detail
}  // namespace sluice
