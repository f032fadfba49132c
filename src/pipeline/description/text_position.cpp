// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/text_position.hpp"

#include <boost/locale/utf.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace sluice::pipeline::detail {

namespace {

namespace utf = boost::locale::utf;

std::string name_of_byte(char byte)
{
    std::array<char, 16> text{};
    const unsigned value = static_cast<unsigned char>(byte);
    std::snprintf(text.data(), text.size(), "byte 0x%02x", value);
    return text.data();
}

}  // namespace

std::size_t text_position::line(const char* at)
{
    for (; at_ < at; ++at_) {
        if (*at_ == '\n') {
            ++line_;
            line_begin_ = at_ + 1;
        }
    }
    return line_;
}

std::size_t text_position::column(const char* at) const
{
    const auto begins_a_character = [](char byte) {
        return utf::utf_traits<char>::is_lead(byte);
    };
    return 1 + static_cast<std::size_t>(
                   std::count_if(std::min(line_begin_, at), at, begins_a_character)
               );
}

std::string replace_wrong_bytes(std::string_view text, std::vector<problem>& problems)
{
    std::string utf8;
    utf8.reserve(text.size());
    text_position position(text);
    std::size_t last_line = 0;
    const char* at = position.begin();
    while (at != position.end()) {
        const char* next = at;
        const utf::code_point point = utf::utf_traits<char>::decode(next, position.end());
        if (point != utf::illegal && point != utf::incomplete && point != 0) {
            utf8.append(at, next);
            at = next;
            continue;
        }
        const std::size_t line = position.line(at);
        if (line != last_line)
            problems.push_back(
                {.line = line,
                 .found = name_of_byte(*at) + " in column " +
                          std::to_string(position.column(at)),
                 .expected = "text in UTF-8"}
            );
        last_line = line;
        utf8 += '?';
        ++at;
    }
    return utf8;
}

}  // namespace sluice::pipeline::detail
