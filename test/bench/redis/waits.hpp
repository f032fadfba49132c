// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>

namespace sluice::bench {

/// Nanoseconds to cancel so many coroutines that wait for an element of an empty queue on a server,
/// until the last of them has ended.
double cancel_waits(const std::string& socket, std::size_t count);

}  // namespace sluice::bench
