// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/task_info.hpp>

namespace sluice {

namespace {

std::string what_it_does(const task_info& task)
{
    if (task.is_ready)
        return "ready, with no free thread,";
    if (!task.waiting_on.empty())
        return "waiting on " + task.waiting_on;
    return task.is_running ? "running" : "awaiting something other than a queue";
}

// Of a task that does not say what it awaits.
std::string where_to_look(const task_info& task)
{
    const bool is_known = task.is_ready || !task.waiting_on.empty();
    if (is_known || task.spawned_at.line() == 0)
        return "";
    return std::string(", spawned at ") + task.spawned_at.file_name() + ':' +
           std::to_string(task.spawned_at.line());
}

}  // namespace

std::string to_string(const task_info& task)
{
    using std::chrono::milliseconds;
    const auto waited = std::chrono::duration_cast<milliseconds>(
        std::chrono::steady_clock::now() - task.since
    );
    return "'" + task.name + "' " + what_it_does(task) + " for " +
           std::to_string(waited.count()) + " ms" + where_to_look(task);
}

}  // namespace sluice
