// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/reply.hpp"
#include <sluice/redis/queue_status.hpp>

namespace sluice::redis::detail {

// What the function sluice_1_status has answered.
[[nodiscard]] queue_status status_of(const reply& answer) noexcept;

}  // namespace sluice::redis::detail
