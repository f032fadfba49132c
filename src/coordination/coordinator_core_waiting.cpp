// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/error.hpp>

#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

namespace sluice::detail {
namespace {

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

// Waiting -----------------------------------------------------------------------------------

bool coordinator_core::start(waiter& w, delivery how, wait_mode mode) noexcept
{
    const core_ptr self(this);  // a waiter that is told may destroy the coordinator
    const bool is_join = w.list_ == join_waiter::list;
    bool complete = false;
    {
        critical_section section(*this);
        if (is_join && should_stop())
            static_cast<join_waiter&>(w).due = end_of_grace_period();
        if (append_unless_failed(list_of(w), w, mode, section)) {
            if (w.list_ == task_waiter::list)
                serve_waiters_of(static_cast<task_waiter&>(w).record(), section);
            else
                serve(section);
        }
        complete = conclude(w, how, mode, section);
    }
    if (is_join && !complete)
        changed();
    return complete;
}

waiter_list& coordinator_core::list_of(waiter& w) noexcept
{
    switch (w.list_) {
    case stop_waiter::list:
        return stop_waiters_;
    case join_waiter::list:
        return join_waiters_;
    default:
        return static_cast<task_waiter&>(w).record().waiters_;
    }
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
        section.end_all(stop_waiters_);
    if (live_ > 0 || join_waiters_.empty())  // (C3)
        return;
    joined_ = true;
    if (error_)
        section.end_all(join_waiters_, errc::stop_requested, error_);
    else
        section.end_all(join_waiters_);
}

void coordinator_core::serve_waiters_of(
    task_record& record,
    critical_section& section
) noexcept
{
    if (record.state_ != task_state::running)
        section.end_all(record.waiters_);
}

void coordinator_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    collect_from(stop_waiters_, context, abandoned);
    collect_from(join_waiters_, context, abandoned);
    tasks_.for_each([&](const task_ptr& task) {
        collect_from(task->record().waiters_, context, abandoned);
    });
}

}  // namespace sluice::detail
