// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/manual_time.hpp"

#include <chrono>

namespace sluice::schedules {

namespace {

// One thread asks, and one moves it, the same.
std::chrono::steady_clock::time_point time{std::chrono::hours(1)};

}  // namespace

void pass_one_tick() noexcept
{
    time += ticks(1);
}

}  // namespace sluice::schedules

// Takes the place of the library's for the whole program.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept
{
    return sluice::schedules::time;
}
