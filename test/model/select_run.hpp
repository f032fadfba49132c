// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/trial.hpp"
#include "model/walk.hpp"
#include "soak/dice.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace sluice::model::selecting {

// Why: two queues, those who choose between them, and their model, compiled once.

/// Takes two queues through random steps.
trial try_random_steps(sluice::soak::dice& random);

/// What was seen of a small world.
struct exploration
{
    extent seen;
    std::optional<std::string> test_case;
};

/// Takes two queues of such capacities to every state that they can reach with so many
/// selects of two branches, two single operations, one cancellation or owner that goes away,
/// and one close, in any order, with deliveries as late as one likes; and from each of these
/// states every step there is.
exploration explore_small_world(
    const std::array<std::size_t, 2>& capacities,
    int selects
);

}  // namespace sluice::model::selecting
