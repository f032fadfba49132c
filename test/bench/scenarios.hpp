// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/harness.hpp"

#include <vector>

namespace sluice::bench {

/// The names of the contestants, which the report compares.
inline constexpr const char* ours = "sluice";
inline constexpr const char* channel_awaitable = "channel, use_awaitable";
inline constexpr const char* channel_deferred = "channel, deferred";

/// All scenarios, in the order in which they are reported.
[[nodiscard]] std::vector<scenario> all_scenarios();

}  // namespace sluice::bench
