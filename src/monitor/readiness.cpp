// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "monitor/readiness.hpp"

#include <sluice/detail/awaiting/supervised_executor.hpp>

namespace sluice::detail {

readiness::readiness(const boost::asio::any_io_executor& executor)
{
    const auto* const task = executor.target<supervised_executor>();
    if (task == nullptr)
        return;
    task->log().keep_ready_time();
    log_ = &task->log();
}

readiness::reading readiness::read(clock::time_point now) const noexcept
{
    if (log_ == nullptr)
        return {};
    const wait_log::ready_reading seen = log_->read_ready(now);
    return {seen.time, seen.is_ready};
}

}  // namespace sluice::detail
