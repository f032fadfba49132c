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

// The end ------------------------------------------------------------------------------------

// (R3)
bool runner_core::is_ready(const waiter& /*join*/) const noexcept
{
    return running_ == 0;
}

void runner_core::serve(critical_section& section) noexcept
{
    if (running_ == 0 && !exceptions_.empty())
        section.end_all(waiters_, errc::queue_closed, exceptions_.front());
    else
        waiting_room::serve(section);
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
