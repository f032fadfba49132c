// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "text/code_point.hpp"

#include <cstddef>
#include <string>
#include <string_view>

// Texts that should be in UTF-8. Bytes that are not do no harm; each counts as a character or as a
// part of one.
namespace sluice::text {

// U+FEFF, with which some programs begin a file.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

// Whether it begins with the mark of UTF-16. No text in UTF-8 does.
[[nodiscard]] bool begins_as_utf16(std::string_view text) noexcept;

// What is wrong with such a text, and what to do.
constexpr const char* in_utf16 = "it is in UTF-16, by its first bytes; "
                                 "`iconv -f UTF-16 -t UTF-8` makes UTF-8 of it";

// The longest beginning that is UTF-8.
[[nodiscard]] std::string_view valid_beginning(std::string_view text) noexcept;

// Whether all of it is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// Appends a byte that is not UTF-8 as people see it: \xe4.
void append_byte(char byte, std::string& out);

// All bytes of the first character.
[[nodiscard]] std::string_view first_character(std::string_view text) noexcept;

// The longest beginning that has at most so many bytes and only whole characters.
[[nodiscard]] std::string_view cut_to_bytes(
    std::string_view text,
    std::size_t most
) noexcept;

// How many columns of a terminal it takes: Chinese characters, for example, take two each.
[[nodiscard]] std::size_t columns_of(std::string_view text);

}  // namespace sluice::text
