// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/printable.hpp"

#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sluice::text {

namespace {

// Controls of terminals, ends of lines, and what turns the direction of writing.
bool is_hidden(std::uint32_t code) noexcept
{
    constexpr std::pair<std::uint32_t, std::uint32_t> ranges[] = {
        {0x00, 0x1F},
        {0x7F, 0x9F},
        {0x061C, 0x061C},  // marks of the direction of writing
        {0x200E, 0x200F},
        {0x2028, 0x202E},  // ends of lines, and embedded directions
        {0x2066, 0x2069}
    };
    return std::ranges::any_of(ranges, [code](const auto& range) {
        return code >= range.first && code <= range.second;
    });
}

void escape(std::uint32_t code, std::string& out)
{
    if (code == '\n')
        out += "\\n";
    else if (code == '\t')
        out += "\\t";
    else if (code == '\r')
        out += "\\r";
    else
        out += fmt::format(fmt::runtime(code < 0x80 ? "\\x{:02x}" : "\\u{:04x}"), code);
}

std::string escaped(std::string_view text, std::string_view kept)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [code, bytes] = first_code_point(text);
        const std::string_view written = text.substr(0, std::max<std::size_t>(bytes, 1));
        if (bytes == 0)
            append_byte(text[0], result);
        else if (is_hidden(code) && kept.find(text[0]) == std::string_view::npos)
            escape(code, result);
        else
            result += written;
        text.remove_prefix(written.size());
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text)
{
    return escaped(text, "");
}

std::string printable_lines(std::string_view text)
{
    return escaped(text, "\n\t");
}

}  // namespace sluice::text
