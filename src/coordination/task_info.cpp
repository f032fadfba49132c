// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/task_info.hpp>

namespace sluice {

namespace {

std::string what_it_does(const task_info& task)
{
    if (task.is_ready)
        return "ready, with no free thread,";
    return task.waiting_on.empty() ? "running, or awaiting something other than a queue,"
                                   : "waiting on " + task.waiting_on;
}

}  // namespace

std::string to_string(const task_info& task)
{
    using std::chrono::milliseconds;
    const auto waited = std::chrono::duration_cast<milliseconds>(
        std::chrono::steady_clock::now() - task.since
    );
    return "'" + task.name + "' " + what_it_does(task) + " for " +
           std::to_string(waited.count()) + " ms";
}

}  // namespace sluice
