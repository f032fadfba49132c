// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"

#include "pipeline/words.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <cstddef>
#include <stdexcept>

namespace sluice::pipeline {

namespace {

// The field in quotes at the beginning of `rest`, which is then behind it.
std::string take_quoted(std::string_view& rest)
{
    std::string field;
    rest.remove_prefix(1);
    while (true) {
        const auto quote = rest.find('"');
        if (quote == std::string_view::npos)
            throw std::runtime_error("no CSV: a quote is opened and never closed");
        field += rest.substr(0, quote);
        rest.remove_prefix(quote + 1);
        if (!rest.starts_with('"'))
            return field;
        field += '"';  // two quotes stand for one
        rest.remove_prefix(1);
    }
}

std::string take_field(std::string_view& rest, char separator)
{
    if (rest.starts_with('"'))
        return take_quoted(rest);
    const std::string_view field = rest.substr(0, rest.find(separator));
    if (field.find('\n') != field.npos || field.find('\r') != field.npos)
        throw std::runtime_error("no CSV of one record: a line ends outside quotes");
    rest.remove_prefix(field.size());
    return std::string(field);
}

std::string_view without_line_end(std::string_view line)
{
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
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

std::vector<std::string> split_csv(std::string_view line, char separator)
{
    line = without_line_end(line);
    std::vector<std::string> fields{take_field(line, separator)};
    while (!line.empty()) {
        if (!line.starts_with(separator))
            throw std::runtime_error("no CSV: text behind a closing quote; a quote "
                                     "inside quotes is written twice");
        line.remove_prefix(1);
        fields.push_back(take_field(line, separator));
    }
    return fields;
}

void append_csv_field(std::string_view field, char separator, std::string& line)
{
    const bool needs_quotes = field.find_first_of("\"\r\n") != std::string_view::npos ||
                              field.find(separator) != std::string_view::npos ||
                              field.starts_with(byte_order_mark) ||
                              text::begins_as_utf16(field);
    if (!needs_quotes) {
        line += field;
        return;
    }
    line += '"';
    for (const char c : field) {
        if (c == '"')
            line += c;
        line += c;
    }
    line += '"';
}

}  // namespace sluice::pipeline
