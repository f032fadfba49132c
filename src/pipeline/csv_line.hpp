// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

// A record of CSV on a line of its own (RFC 4180).
namespace sluice::pipeline {

// What a file in UTF-8 may begin with. It is no part of the first field, unless that is in quotes.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// What may stand between fields: one character of ASCII, but no quote and no end of line.
// Throws option_error with the name "separator" if this is something else.
[[nodiscard]] char checked_separator(const std::string& separator);

// The fields of a line, whose end may be there; quotes and what they protect are resolved. Throws
// std::runtime_error if a quote is not closed, text stands behind one that is, or another line
// begins outside quotes.
[[nodiscard]] std::vector<std::string> split_csv(std::string_view line, char separator);

// Appends a field to a line that holds those before it, in quotes if it needs them.
void append_csv_field(std::string_view field, char separator, std::string& line);

}  // namespace sluice::pipeline
