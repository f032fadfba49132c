// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"
#include "model/step_source.hpp"

#include <string>

namespace sluice::model {

// Why: what was found becomes a test by being pasted.

/// A test case as those in test/unit/queue/queue_core_traces.cpp. It does what was done, and
/// checks for what the model expects.
[[nodiscard]] std::string to_test_case(
    const queue_settings& settings,
    const mismatch& found
);

}  // namespace sluice::model
