// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"
#include "model/step_source.hpp"

#include <cstddef>
#include <optional>

namespace sluice::model {

// Why: chance may miss the one order of four operations that goes wrong; this misses none.

/// What was seen of a small world.
struct exploration
{
    std::size_t states = 0;  // different ones, according to the model
    std::size_t paths = 0;   // through them, so that each step from each is on one
    std::optional<mismatch> found;
};

/// Takes a queue to every state that it can reach with two enqueues of one or two rows, two
/// dequeues of one or two elements, one cancellation, one close and one stop, in any order,
/// with deliveries as late as one likes; and from each of these states every step there is.
exploration explore_small_world(const queue_settings& settings);

}  // namespace sluice::model
