// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_fields.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_fields =
    1'000'000;  // or separators alone would take all memory

// Has the highest bit of the first byte that is `sought`, if one is, and none of those before it.
std::uint64_t marks_of(char sought, std::uint64_t bytes) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t others = bytes ^ (ones * static_cast<unsigned char>(sought));
    return (others - ones) & ~others & (ones << 7U);
}

}  // namespace

char checked_separator(const std::string& separator)
{
    const bool is_one = separator.size() == 1 &&
                        separator.find_first_of("\"\r\n") == std::string::npos;
    if (!is_one || static_cast<unsigned char>(separator.front()) > 0x7f)
        throw option_error(
            "separator",
            detail::in_quotes(separator),
            "one character of ASCII, but no quote and no end of line"
        );
    return separator.front();
}

std::size_t csv_fields::find(std::string_view text, bool is_last)
{
    if (!std::exchange(is_begun_, true)) {
        fields_.clear();
        lines_ = 0;
        has_quotes_ = false;
        field_ = {};
    }
    wrong_ = nullptr;
    is_open_ = false;
    while (true) {
        if (fields_.size() == most_fields) {
            wrong_ = "more than a million fields";
            return field_.begin;
        }
        const bool is_quoted = field_.begin < text.size() && text[field_.begin] == '"';
        const std::size_t end = is_quoted ? end_of_quoted(text, is_last)
                                          : end_of_plain(text);
        if (end == text.npos || (end == text.size() && !is_last))
            return 0;
        if (is_quoted && end < text.size() && !ends_field(text[end])) {
            wrong_ =
                "text behind a closing quote; a quote inside quotes is written twice";
            return end;
        }
        if (is_quoted)
            add_quoted(text, end);
        else
            fields_.push_back({field_.begin, end - field_.begin, false});
        if (end == text.size())
            return end;
        if (text[end] == '\n' || text[end] == '\r')
            return end + 1;
        field_ = {.begin = end + 1};
    }
}

// A word at a time: where a field ends after each byte, the processor would guess wrong.
inline std::size_t csv_fields::end_of_plain(std::string_view text)
{
    std::size_t at = std::max(field_.begin, field_.searched);
    std::uint64_t bytes = 0;
    std::uint64_t marks = 0;
    while (std::endian::native == std::endian::little && marks == 0 &&
           text.size() - at >= sizeof(bytes)) {
        std::memcpy(&bytes, text.data() + at, sizeof(bytes));
        marks = marks_of(separator_, bytes) | marks_of('\n', bytes) |
                marks_of('\r', bytes);
        at += marks == 0 ? sizeof(bytes)
                         : static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
    while (at < text.size() && !ends_field(text[at]))
        ++at;
    field_.searched = at;
    return at;
}

// Behind the closing quote; npos if that has not come.
std::size_t csv_fields::end_of_quoted(std::string_view text, bool is_last)
{
    std::size_t at = std::max(field_.begin + 1, field_.searched);
    while (true) {
        at = text.find('"', at);
        is_open_ = at == text.npos;
        field_.searched = is_open_ ? text.size() : at;
        if (is_open_ || (at + 1 == text.size() && !is_last))
            return text.npos;
        if (at + 1 == text.size() || text[at + 1] != '"')
            return at + 1;
        field_.has_quotes = true;  // two quotes stand for one
        at += 2;
    }
}

void csv_fields::add_quoted(std::string_view text, std::size_t end)
{
    const std::size_t begin = field_.begin + 1;
    const std::string_view content = text.substr(begin, end - 1 - begin);
    fields_.push_back({begin, content.size(), field_.has_quotes});
    lines_ += static_cast<std::uint64_t>(std::ranges::count(content, '\n'));
    has_quotes_ = has_quotes_ || field_.has_quotes;
}

void csv_fields::resolve_quotes(char* text)
{
    if (!std::exchange(has_quotes_, false))
        return;
    for (found_field& each : fields_) {
        if (!std::exchange(each.has_quotes, false))
            continue;
        char* const begin = text + each.begin;
        char* out = begin;
        for (const char* in = begin; in != begin + each.size; ++in) {
            *out++ = *in;
            if (*in == '"')
                ++in;
        }
        each.size = static_cast<std::size_t>(out - begin);
    }
}

}  // namespace sluice::pipeline
