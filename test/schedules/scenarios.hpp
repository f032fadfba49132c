// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "schedules/schedule.hpp"

#include <span>
#include <string>
#include <string_view>

namespace sluice::schedules {

// Why: the program that goes through schedules need not know what is in them.

/// Something that must come out right however it is scheduled.
struct scenario
{
    std::string_view name;
    std::string (*run)(schedule&);  // what was wrong; empty if nothing was
};

/// With many tasks and choices, for random schedules.
[[nodiscard]] std::span<const scenario> large_scenarios();

/// So small that every schedule can be tried.
[[nodiscard]] std::span<const scenario> small_scenarios();

}  // namespace sluice::schedules
