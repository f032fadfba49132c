// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/tracking_executor.hpp"

#include <atomic>

namespace sluice::test {
namespace {

std::atomic<int> last_id{0};
thread_local std::vector<int> executors;
thread_local int initiations = 0;

}  // namespace

int tracking_executor::next_id() noexcept
{
    return ++last_id;
}

tracking_executor::on_stack::on_stack(int id)
{
    executors.push_back(id);
}

tracking_executor::on_stack::~on_stack()
{
    executors.pop_back();
}

const std::vector<int>& running_executors() noexcept
{
    return executors;
}

int current_executor() noexcept
{
    return executors.empty() ? 0 : executors.back();
}

int executor_id(const asio::any_io_executor& executor) noexcept
{
    const auto* const tracking = executor.target<tracking_executor>();
    return tracking == nullptr ? 0 : tracking->id();
}

initiation_guard::initiation_guard() noexcept
{
    ++initiations;
}

initiation_guard::~initiation_guard()
{
    --initiations;
}

bool initiation_guard::active() noexcept
{
    return initiations != 0;
}

}  // namespace sluice::test
