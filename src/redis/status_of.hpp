// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/reply.hpp"
#include <sluice/redis/queue_status.hpp>

#include <string_view>

namespace sluice::redis::detail {

// What the function sluice_1_status has answered.
[[nodiscard]] queue_status status_of(const reply& answer) noexcept;

// The base of that queue; empty from functions before revision 9.
[[nodiscard]] std::string_view base_in_status(const reply& answer) noexcept;

}  // namespace sluice::redis::detail
