// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sluice::text {

bool begins_as_utf16(std::string_view text) noexcept
{
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

std::string_view valid_beginning(std::string_view text) noexcept
{
    std::size_t size = 0;
    while (size < text.size()) {
        const std::size_t bytes = first_code_point(text.substr(size)).bytes;
        if (bytes == 0)
            break;
        size += bytes;
    }
    return text.substr(0, size);
}

namespace {

std::uint64_t word_at(const char* begin) noexcept
{
    std::uint64_t word = 0;
    std::memcpy(&word, begin, sizeof(word));
    return word;
}

// A word at a time, because it is asked for each line and field. The last word may have bytes of
// the one before.
bool is_ascii(std::string_view text) noexcept
{
    constexpr std::size_t width = sizeof(std::uint64_t);
    std::uint64_t all = 0;
    if (text.size() >= width) {
        const char* const last = text.data() + text.size() - width;
#pragma GCC unroll 4
        for (const char* next = text.data(); next < last; next += width)
            all |= word_at(next);
        all |= word_at(last);
    } else {
        for (const char byte : text)
            all |= static_cast<unsigned char>(byte);
    }
    return (all & 0x8080808080808080U) == 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept
{
    return is_ascii(text) || valid_beginning(text).size() == text.size();
}

void append_byte(char byte, std::string& out)
{
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
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
