// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/json_value.hpp>

#include <optional>
#include <string>
#include <string_view>

// JSON texts: how they become values, or stay as they were written and are taken apart on demand.
namespace sluice::pipeline {

// Reads a JSON text so that nothing of it is lost: numbers that would be written otherwise
// become written numbers, and what cannot be kept is an error. That is a name twice in one
// object, a NUL byte, bytes that are not UTF-8, a number beyond the range of double, and
// nesting so deep that a walk through the value would need too much stack. Throws
// std::runtime_error, which begins with "no JSON: column " where there is a column to name.
[[nodiscard]] json_value parse_json(std::string_view text);

// Whether a text is one value of JSON by all rules of parse_json(). False may also mean that it is
// not usual enough to tell: a name with an escape, deep nesting, a number with an exponent of three
// digits. parse_json() has the last word then, and the reason.
[[nodiscard]] bool is_usual_json(std::string_view text) noexcept;

// All of the following take JSON that is known to be right.

// The value at the beginning, behind blanks.
[[nodiscard]] std::string_view first_json_value(std::string_view text) noexcept;

struct json_member_text
{
    std::string_view name;  // in its quotes
    std::string_view value;
};

// The first member of an object, or of the rest of one from behind another member; `rest` is what
// is behind it then. Nothing if there is none.
[[nodiscard]] std::optional<json_member_text> take_json_member(std::string_view& rest
) noexcept;

// The same for an array: its first element, or the next one.
[[nodiscard]] std::optional<std::string_view> take_json_item(std::string_view& rest
) noexcept;

// What is in the quotes of a string, in `scratch` only if there are escapes.
[[nodiscard]] std::string_view json_string(std::string_view quoted, std::string& scratch);

// Appends a text as a string of JSON: quotes, and escapes where JSON needs them. What is not UTF-8
// stays as it is.
void append_json_string(std::string_view text, std::string& out);

// The same, but the rule says what becomes of what is not UTF-8.
void append_json_string(std::string_view text, std::string& out, invalid_utf8 rule);

// Whether JSON has it in a string as it is: ASCII, no quote, no backslash, no control character.
[[nodiscard]] bool is_plain_text(std::string_view text) noexcept;

}  // namespace sluice::pipeline
