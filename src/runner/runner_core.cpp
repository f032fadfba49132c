// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/runner_core.hpp>

#include <sluice/error.hpp>

#include <mutex>
#include <utility>

namespace sluice::detail {

runner_core::runner_core(std::string name) : name_(std::move(name)) {}

std::string runner_core::describe() const
{
    return "queue_runner '" + name_ + "'";
}

// Runs --------------------------------------------------------------------------------------

bool runner_core::begin(std::size_t workers)
{
    std::vector<std::exception_ptr> exceptions;
    exceptions.reserve(workers);
    const std::lock_guard lock(mutex_);
    if (running_ > 0)
        return false;
    running_ = workers;
    exceptions_.swap(exceptions);
    cut_ = nullptr;
    return true;
}

runner_core::ending runner_core::worker_ended(
    std::exception_ptr failure,
    std::exception_ptr cut
) noexcept
{
    const std::lock_guard lock(mutex_);
    if (cut && !cut_)
        cut_ = std::move(cut);
    if (failure)
        exceptions_.push_back(std::move(failure));
    const bool last = running_ == 1;
    if (!last)
        --running_;
    return {last, exceptions_.empty() ? cut_ : exceptions_.front()};
}

void runner_core::end_run() noexcept
{
    {
        critical_section section(*this);
        running_ = 0;
        serve(section);
    }
    leave_if_over();
}

std::size_t runner_core::running() const
{
    const std::lock_guard lock(mutex_);
    return running_;
}

std::vector<std::exception_ptr> runner_core::exceptions() const
{
    const std::lock_guard lock(mutex_);
    return exceptions_;
}

// Waiting -----------------------------------------------------------------------------------

bool runner_core::start(waiter& w, delivery how, wait_mode mode) noexcept
{
    critical_section section(*this);
    if (append_unless_failed(join_waiters_, w, mode, section))
        serve(section);
    return conclude(w, how, mode, section);
}

void runner_core::serve(critical_section& section) noexcept
{
    if (running_ > 0)  // (R3)
        return;
    if (exceptions_.empty())
        section.end_all(join_waiters_);
    else
        section.end_all(join_waiters_, errc::queue_closed, exceptions_.front());
}

void runner_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    collect_from(join_waiters_, context, abandoned);
}

void runner_core::shut_down() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        orphaned_ = true;
    }
    leave_if_over();
}

bool runner_core::is_over() const noexcept
{
    const std::lock_guard lock(mutex_);
    return orphaned_ && running_ == 0;
}

void runner_core::leave_if_over() noexcept
{
    if (is_over())
        detach();
}

}  // namespace sluice::detail
