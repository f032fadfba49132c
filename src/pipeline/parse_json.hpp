// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/json_value.hpp>

#include <string>
#include <string_view>

namespace sluice::pipeline {

// Reads a JSON text. Throws std::runtime_error, which begins with "no JSON: column " where
// there is a column to name, for what is none: also for a NUL byte, a number beyond the range
// of double, and nesting so deep that those who walk a value would need too much stack.
[[nodiscard]] json_value parse_json(std::string_view text);

// A number if that is what JSON calls one, within the range of double; else the text.
[[nodiscard]] json_value number_or_text(std::string text);

}  // namespace sluice::pipeline
