// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::detail {

// The numbers below `size` in the random order of an epoch, which depends on nothing but the
// arguments: so a reading can begin with any epoch, and on any platform.
[[nodiscard]] std::vector<std::size_t> shuffled_order(
    std::size_t size,
    std::uint64_t seed,
    std::uint64_t epoch
);

}  // namespace sluice::detail
