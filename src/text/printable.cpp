// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sluice::text {

namespace {

// A character of UTF-8; one that is none has no bytes.
struct character
{
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

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

// The first character of a text that is not empty.
character first_of(std::string_view text) noexcept
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
        fmt::format_to(
            std::back_inserter(out),
            fmt::runtime(code < 0x80 ? "\\x{:02x}" : "\\u{:04x}"),
            code
        );
}

std::string escaped(std::string_view text, std::string_view kept)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [code, bytes] = first_of(text);
        const std::string_view written = text.substr(0, std::max<std::size_t>(bytes, 1));
        if (bytes == 0)
            fmt::format_to(
                std::back_inserter(result),
                "\\x{:02x}",
                static_cast<unsigned char>(text[0])
            );
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
