// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>

// Text that is shown to people. Names and data come from anywhere, and a terminal obeys what it
// is sent.
namespace sluice::text {

// The text in one line, without effect on a terminal: control characters, bytes that are not
// UTF-8, and what changes the direction of writing become escapes such as \n, \x1b or \u202e.
[[nodiscard]] std::string printable(std::string_view text);

// The same for a text of several lines: the ends of lines and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace sluice::text
