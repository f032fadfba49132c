// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sluice::model {

// Why: whatever has a model is tried in the same way.

/// What came of random steps with one object and its model.
struct trial
{
    std::size_t steps;
    std::optional<std::string> test_case;  // if it did not do as its model says
};

}  // namespace sluice::model
