// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/basic_step_source.hpp"
#include "model/queue_model.hpp"
#include "model/step.hpp"

namespace sluice::model {

// Why: what queues make of the parts that all models share.

using step_source = basic_step_source<step, queue_model>;
using listed_steps = basic_listed_steps<step, queue_model>;
using mismatch = basic_mismatch<step>;

}  // namespace sluice::model
