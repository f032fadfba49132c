// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/connection.hpp>

#include <sluice/detail/awaiting/supervised_executor.hpp>

namespace sluice::detail {

wait_log* enter_log(
    const boost::asio::any_io_executor& executor,
    waiter& operation
) noexcept
{
    const auto* const task = executor.target<supervised_executor>();
    if (task == nullptr)
        return nullptr;
    task->log().begin(operation);
    return &task->log();
}

void leave_log(wait_log& log, waiter& operation) noexcept
{
    log.end(operation);
}

}  // namespace sluice::detail
