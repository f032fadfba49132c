// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/trial.hpp"
#include "soak/dice.hpp"

namespace sluice::model::coordination {

// Why: coordinators and their model, compiled once.

/// Takes one family of coordinators through random steps.
trial try_random_steps(sluice::soak::dice& random);

}  // namespace sluice::model::coordination
