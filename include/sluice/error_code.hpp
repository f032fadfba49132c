// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/error_condition.hpp>
#include <boost/system/system_error.hpp>

#include <exception>

namespace sluice {

/// What a family of error codes has in common: its name, and the texts of its codes.
using error_category = boost::system::error_category;

/// The codes with which operations fail.
using error_code = boost::system::error_code;

/// A group of error codes that callers treat alike.
using error_condition = boost::system::error_condition;

/// The exception that carries an error code.
using system_error = boost::system::system_error;

namespace detail {

// The code that stands for an exception where only a code can be given: that of a system_error,
// Boost's or the standard library's, otherwise `fallback`.
[[nodiscard]] error_code code_of(
    const std::exception_ptr& exception,
    error_code fallback
) noexcept;

}  // namespace detail

}  // namespace sluice
