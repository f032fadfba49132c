// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdint>
#include <optional>
#include <random>

namespace sluice::pipeline {

// A generator whose numbers depend on the seed, or differ from run to run.
[[nodiscard]] inline std::mt19937_64 seeded(std::optional<std::int64_t> seed)
{
    if (seed)
        return std::mt19937_64(static_cast<std::uint64_t>(*seed));
    std::random_device device;
    return std::mt19937_64(device());
}

}  // namespace sluice::pipeline
