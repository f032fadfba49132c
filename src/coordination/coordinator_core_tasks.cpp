// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <mutex>
#include <utility>

namespace sluice::detail {

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
    if ((was_stopped || task.was_cancelled()) &&
        code_of(exception, {}) == boost::asio::error::operation_aborted)
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

}  // namespace sluice::detail
