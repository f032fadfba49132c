// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/json_value.hpp>

#include <string>
#include <string_view>

namespace sluice::pipeline {

// Reads a JSON text so that nothing of it is lost: numbers that would be written otherwise
// become written numbers, and what cannot be kept is an error. That is a name twice in one
// object, a NUL byte, bytes that are not UTF-8, a number beyond the range of double, and
// nesting so deep that a walk through the value would need too much stack. Throws
// std::runtime_error, which begins with "no JSON: column " where there is a column to name.
[[nodiscard]] json_value parse_json(std::string_view text);

}  // namespace sluice::pipeline
