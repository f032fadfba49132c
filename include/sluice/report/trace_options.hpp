// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>

namespace sluice {

/// The options of a trace.
struct trace_options
{
    /// How many events are kept at most: the last ones. An event takes 40 bytes of memory, and
    /// about 120 in the file.
    std::size_t capacity = 200'000;

    /// How often monitor::trace() looks.
    std::chrono::milliseconds interval{10};
};

}  // namespace sluice
