// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sluice::cli {

// "1,234,567"
[[nodiscard]] std::string format_count(std::uint64_t count);

// A number of things per second in at most seven columns: "0/s", "12.5/s", "1.20 M/s".
[[nodiscard]] std::string format_rate(double per_second);

// "0.01 s", "3.2 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds duration);

// "37 %" of a share from 0 to 1
[[nodiscard]] std::string format_share(double share);

[[nodiscard]] double seconds_of(std::chrono::nanoseconds duration) noexcept;

}  // namespace sluice::cli
