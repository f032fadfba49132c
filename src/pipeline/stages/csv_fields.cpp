// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_fields.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_fields =
    1'000'000;  // or separators alone would take all memory

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

csv_fields::csv_fields(const std::string& separator)
{
    for (const char each : {checked_separator(separator), '\n', '\r'})
        ends_field_[static_cast<unsigned char>(each)] = true;
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
        const auto found = is_quoted ? end_of_quoted(text, is_last) : end_of_plain(text);
        if (!found || (*found == text.size() && !is_last))
            return 0;
        const std::size_t end = *found;
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

inline std::size_t csv_fields::end_of_plain(std::string_view text)
{
    std::size_t at = std::max(field_.begin, field_.searched);
    while (at < text.size() && !ends_field(text[at]))
        ++at;
    field_.searched = at;
    return at;
}

// Behind the closing quote; nothing if that has not come.
std::optional<std::size_t> csv_fields::end_of_quoted(std::string_view text, bool is_last)
{
    std::size_t at = std::max(field_.begin + 1, field_.searched);
    while (true) {
        at = text.find('"', at);
        is_open_ = at == text.npos;
        field_.searched = is_open_ ? text.size() : at;
        if (is_open_ || (at + 1 == text.size() && !is_last))
            return std::nullopt;
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
