// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string_view>

namespace sluice::redis::detail {

// functions.lua.
extern const std::string_view function_library;

// What its function sluice_1_revision gives.
inline constexpr int function_library_revision = 9;

}  // namespace sluice::redis::detail
