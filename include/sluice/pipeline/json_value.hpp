// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace sluice::pipeline {

/// A JSON value that flows in a pipeline.
/**
 * The members of an object keep their order; to find one by its name takes time in proportion
 * to their number. JSON has no binary values; here one is a number that stays as it is
 * written. See written_number().
 */
using json_value = nlohmann::ordered_json;

/// What happens to bytes that are not UTF-8 where JSON is written, which cannot hold them.
enum class invalid_utf8 : unsigned char
{
    refuse,   ///< that is an error
    replace,  ///< U+FFFD is written instead; different texts may become equal
    show      ///< `\xe4` or the like is written instead: for people, it is no JSON
};

/// A number that is to be written as it was read.
/**
 * For what neither a 64-bit integer nor a double keeps: 12345678901234567890123, 1.10, 1e3, -0.
 *
 * @param text  a number as JSON has it.
 */
[[nodiscard]] json_value written_number(std::string_view text);

/// Whether a value is a number, also one that stays as it is written.
[[nodiscard]] bool is_number(const json_value& value) noexcept;

/// The nearest double. @pre is_number(value)
[[nodiscard]] double to_double(const json_value& value);

/// Appends a value as compact JSON. Numbers get as few digits as tell them apart.
/**
 * @throws std::runtime_error  if a text in it is not UTF-8 and that is refused; it says which.
 */
void append_json(const json_value& value, std::string& out, invalid_utf8 rule);

/// A value as compact JSON; see append_json().
[[nodiscard]] std::string to_json_text(
    const json_value& value,
    invalid_utf8 rule = invalid_utf8::refuse
);

}  // namespace sluice::pipeline
