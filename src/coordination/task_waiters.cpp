// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/task_waiters.hpp>

#include <sluice/coordination/detail/coordinator_state.hpp>

namespace sluice::detail {

// Not of a task that runs: then the wait has failed.
void task_outcome_waiter::rethrow_failure() const
{
    if (failed())
        throw_failure();
    if (record().failure())
        std::rethrow_exception(record().failure());
    if (record().state() == task_state::cancelled)
        throw system_error(
            boost::asio::error::operation_aborted,
            "task '" + record().name() + "' did not run to its end"
        );
}

// Each task of a coordinator is one of its coordinator_state.
void task_outcome_waiter::cancel_task(boost::asio::cancellation_type type) noexcept
{
    static_cast<coordinator_state&>(*hub_).cancel(record(), type);
}

}  // namespace sluice::detail
