// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <ctime>

namespace sluice::detail {

// The steady clock as of its last tick, some milliseconds ago at most: a fifth of the time that it
// takes to read it exactly. Where there is no such clock it is read exactly.
[[nodiscard]] inline std::chrono::steady_clock::time_point coarse_now() noexcept
{
#ifdef CLOCK_MONOTONIC_COARSE
    std::timespec now{};
    if (::clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0)
        return std::chrono::steady_clock::time_point(
            std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec)
        );
#endif
    return std::chrono::steady_clock::now();
}

}  // namespace sluice::detail
