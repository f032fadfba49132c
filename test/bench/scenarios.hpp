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

/// All scenarios, in the order in which they are reported. Those with one thread come first,
/// because a process that has had a second one needs locked instructions from then on.
[[nodiscard]] std::vector<scenario> all_scenarios();

// The groups that they are made of, each in a file of its name.
[[nodiscard]] std::vector<scenario> passing_on_one_thread();
[[nodiscard]] std::vector<scenario> passing_among_threads();
[[nodiscard]] std::vector<scenario> passing_on_two_threads();
[[nodiscard]] std::vector<scenario> batches();
[[nodiscard]] std::vector<scenario> selecting();
[[nodiscard]] std::vector<scenario> deadlines();
[[nodiscard]] std::vector<scenario> stores();
[[nodiscard]] std::vector<scenario> runners();
[[nodiscard]] std::vector<scenario> supervision();
[[nodiscard]] std::vector<scenario> monitoring();
[[nodiscard]] std::vector<scenario> waiters();
[[nodiscard]] std::vector<scenario> pipeline_on_one_thread();
[[nodiscard]] std::vector<scenario> pipeline_on_two_threads();
[[nodiscard]] std::vector<scenario> producers();

}  // namespace sluice::bench
