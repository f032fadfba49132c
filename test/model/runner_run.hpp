// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/trial.hpp"
#include "soak/dice.hpp"

namespace sluice::model::running {

// Why: queue runners and their model, compiled once.

/// Takes a few runners through random steps.
trial try_random_steps(sluice::soak::dice& random);

}  // namespace sluice::model::running
