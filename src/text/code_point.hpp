// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// UTF-8 to the letter. All of it is in this header: the component report uses it, too, which is
// built without libfmt.
namespace sluice::text {

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

}  // namespace sluice::text
