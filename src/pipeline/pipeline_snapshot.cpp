// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_snapshot.hpp>

namespace sluice::pipeline {

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
    }
    return "unknown";
}

}  // namespace sluice::pipeline
