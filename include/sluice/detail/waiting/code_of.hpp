// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error_code.hpp>

#include <exception>

namespace sluice::detail {

// The code that stands for an exception where only a code can be given: that of a system_error,
// Boost's or the standard library's, otherwise `fallback`.
[[nodiscard]] error_code code_of(
    const std::exception_ptr& exception,
    error_code fallback
) noexcept;

}  // namespace sluice::detail
