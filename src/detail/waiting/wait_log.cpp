// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_log.hpp>

#include <algorithm>
#include <mutex>

namespace sluice::detail {

wait_log::reading wait_log::read() const
{
    const std::lock_guard lock(mutex_);
    if (is_ready())
        return {.text = {}, .places = {}, .since = ready_since_, .is_ready = true};
    const bool is_busy = is_running_ && waiting_.empty();
    reading result{
        .text = {},
        .places = {},
        .since = is_busy ? std::max(since_, ready_since_) : since_,
        .is_running = is_running_
    };
    for (const waiter& operation : waiting_) {
        result.places.push_back({operation.hub_, operation.list_});
        result.text += (result.text.empty() ? "" : ", ") + operation.describe();
    }
    return result;
}

}  // namespace sluice::detail
