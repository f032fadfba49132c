// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Texts that should be in UTF-8. Bytes that are not do no harm; each counts as a character or as a
// part of one.
namespace sluice::text {

// Up to first_code_point() all is in this header: the component report uses it, too, which is built
// without libfmt.

// Whether a byte begins a character, and does not continue one.
[[nodiscard]] constexpr bool begins_character(char byte) noexcept
{
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// A character of UTF-8; one that is none has no bytes.
struct code_point
{
    std::uint32_t value = 0;
    std::size_t bytes = 0;
};

namespace detail {

struct form
{
    unsigned mask;        // which bits of the first byte tell the length
    unsigned lead;        // and what they are
    std::uint32_t least;  // smaller ones have a shorter form, and must use it
};

// Forms of two, three and four bytes.
inline constexpr form forms[] =
    {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

[[nodiscard]] constexpr bool is_valid(std::uint32_t value, std::uint32_t least) noexcept
{
    const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value >= least && value <= 0x10FFFF && !is_surrogate;
}

[[nodiscard]] constexpr code_point decode(
    std::string_view bytes,
    const form& form
) noexcept
{
    std::uint32_t value = static_cast<unsigned char>(bytes[0]) & ~form.mask;
    for (const char byte : bytes.substr(1)) {
        if (begins_character(byte))
            return {};
        value = (value << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
    }
    return is_valid(value, form.least) ? code_point{value, bytes.size()} : code_point{};
}

}  // namespace detail

// The first character of a text that is not empty. It has no bytes if the text begins with what is
// no UTF-8: a form that is too long, half a character, a surrogate, or a number that is too large.
[[nodiscard]] constexpr code_point first_code_point(std::string_view text) noexcept
{
    const unsigned lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80)
        return {lead, 1};
    std::size_t length = 2;
    for (const detail::form& form : detail::forms) {
        if ((lead & form.mask) == form.lead)
            return text.size() < length ? code_point{}
                                        : detail::decode(text.substr(0, length), form);
        ++length;
    }
    return {};
}

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
