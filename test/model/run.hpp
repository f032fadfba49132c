// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"
#include "model/step_source.hpp"

#include <optional>

namespace sluice::model {

// Why: a queue of any kind, compiled once.

/// Takes the steps on a queue as the settings say, and on its model.
std::optional<mismatch> run(const queue_settings& settings, step_source& source);

}  // namespace sluice::model
