// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/error_condition.hpp>
#include <boost/system/system_error.hpp>

namespace sluice {

using error_category = boost::system::error_category;
using error_code = boost::system::error_code;
using error_condition = boost::system::error_condition;
using system_error = boost::system::system_error;

}  // namespace sluice
