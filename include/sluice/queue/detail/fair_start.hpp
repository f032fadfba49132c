// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>

namespace sluice::detail {

// Which of `count` branches is tried first: drawn by lot, because two loops that take turns
// would each find the same branch first for ever if the branches took turns, too.
[[nodiscard]] std::size_t fair_start(std::size_t count) noexcept;

}  // namespace sluice::detail
