// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_core.hpp>

#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace sluice {

bool is_clean_stop(const std::exception_ptr& exception) noexcept
{
    return detail::code_of(exception, {}) == condition::clean_stop;
}

namespace detail {

// What a stop causes in a healthy task: its operations are cancelled and its queues closed.
bool coordinator_core::is_consequence_of_stop(const std::exception_ptr& exception
) noexcept
{
    const error_code code = code_of(exception, {});
    return code == boost::asio::error::operation_aborted || code == condition::clean_stop;
}

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
