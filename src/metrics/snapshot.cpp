// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/snapshot.hpp>

namespace sluice::metrics {

const char* to_string(run_state state) noexcept
{
    switch (state) {
    case run_state::ready:
        return "ready";
    case run_state::running:
        return "running";
    case run_state::draining:
        return "draining";
    case run_state::stopping:
        return "stopping";
    case run_state::done:
        return "done";
    case run_state::drained:
        return "drained";
    case run_state::stopped:
        return "stopped";
    case run_state::failed:
        return "failed";
    }
    return "unknown";
}

bool is_over(run_state state) noexcept
{
    switch (state) {
    case run_state::ready:
    case run_state::running:
    case run_state::draining:
    case run_state::stopping:
        return false;
    case run_state::done:
    case run_state::drained:
    case run_state::stopped:
    case run_state::failed:
        break;
    }
    return true;
}

const char* to_string(activity what) noexcept
{
    switch (what) {
    case activity::idle:
        return "idle";
    case activity::busy:
        return "busy";
    case activity::waiting_to_enqueue:
        return "waiting to enqueue";
    case activity::waiting_to_dequeue:
        return "waiting to dequeue";
    case activity::ready:
        return "ready, no free thread";
    }
    return "unknown";
}

}  // namespace sluice::metrics
