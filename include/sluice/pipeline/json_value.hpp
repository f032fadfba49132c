// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace sluice::pipeline {

/// A JSON value that flows in a pipeline.
using json_value = nlohmann::json;

/// Whether a value is a number.
[[nodiscard]] inline bool is_number(const json_value& value) noexcept
{
    return value.is_number();
}

/// The nearest double. @pre is_number(value)
[[nodiscard]] inline double to_double(const json_value& value)
{
    return value.get<double>();
}

/// A value as compact JSON; bytes that are not UTF-8 are replaced.
[[nodiscard]] inline std::string to_json_text(const json_value& value)
{
    return value.dump(-1, ' ', false, json_value::error_handler_t::replace);
}

}  // namespace sluice::pipeline
