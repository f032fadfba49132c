// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a training run needs to go on after it was killed.

#pragma once

#include "../../2_recipes/softmax_regression.hpp"
#include <sluice.hpp>

#include <filesystem>

struct checkpoint
{
    int step = 0;                     // steps that have been made
    sluice::input_position position;  // after the last example of the last step
    softmax_regression model;
};

/// Reads a checkpoint; a new one if there is no such file. Throws std::runtime_error.
checkpoint load(const std::filesystem::path& file);

/// Replaces the file, or leaves it as it was. Throws std::runtime_error.
void save(const checkpoint& state, const std::filesystem::path& file);
