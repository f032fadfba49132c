// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sluice::text {

namespace {

struct form
{
    unsigned char mask;   // which bits of the first byte tell the length
    unsigned char lead;   // and what they are
    std::uint32_t least;  // smaller ones have a shorter form, and must use it
};

// Forms of two, three and four bytes.
constexpr form forms[] = {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

constexpr bool is_valid(std::uint32_t code, std::uint32_t least) noexcept
{
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code >= least && code <= 0x10FFFF && !is_surrogate;
}

character decode(std::string_view text, std::size_t length, const form& form) noexcept
{
    auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])) &
                static_cast<std::uint32_t>(~form.mask & 0xFF);
    for (const char byte : text.substr(1, length - 1)) {
        const auto value = static_cast<unsigned char>(byte);
        if ((value & 0xC0U) != 0x80U)
            return {};
        code = (code << 6U) | (value & 0x3FU);
    }
    return is_valid(code, form.least) ? character{code, length} : character{};
}

}  // namespace

character decode_first(std::string_view text) noexcept
{
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80)
        return {lead, 1};
    std::size_t length = 2;
    for (const form& each : forms) {
        if ((lead & each.mask) == each.lead)
            return text.size() < length ? character{} : decode(text, length, each);
        ++length;
    }
    return {};
}

std::string_view valid_beginning(std::string_view text) noexcept
{
    std::size_t size = 0;
    while (size < text.size()) {
        const std::size_t bytes = decode_first(text.substr(size)).bytes;
        if (bytes == 0)
            break;
        size += bytes;
    }
    return text.substr(0, size);
}

void append_byte(char byte, std::string& out)
{
    fmt::format_to(
        std::back_inserter(out),
        "\\x{:02x}",
        static_cast<unsigned char>(byte)
    );
}

std::size_t count_characters(std::string_view text) noexcept
{
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string_view first_character(std::string_view text) noexcept
{
    std::size_t length = text.empty() ? 0 : 1;
    while (length < text.size() && !begins_character(text[length]))
        ++length;
    return text.substr(0, length);
}

std::string_view cut_to_bytes(std::string_view text, std::size_t most) noexcept
{
    if (text.size() <= most)
        return text;
    while (most > 0 && !begins_character(text[most]))
        --most;
    return text.substr(0, most);
}

std::size_t columns_of(std::string_view text)
{
    // libfmt pads to a width in columns. No character has fewer bytes than columns, so this
    // width is not less than that of the text, and the padding tells the difference.
    const std::size_t width = text.size();
    const std::size_t padding = fmt::formatted_size("{:{}}", text, width) - text.size();
    return width - padding;
}

}  // namespace sluice::text
