// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>

namespace sluice::schedules {

// Why: which of two deadlines passes first is a choice as well, and a run that went wrong must
// go wrong again. So in this program std::chrono::steady_clock stands still until it is told
// to move: manual_time.cpp has a now() of its own, and the linker prefers it to the library's.

/// What a clock moves by.
using ticks = std::chrono::nanoseconds;

/// Moves std::chrono::steady_clock by one tick.
void pass_one_tick() noexcept;

}  // namespace sluice::schedules
