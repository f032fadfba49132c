// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/line_parsers.hpp"

#include "pipeline/data/json_text.hpp"
#include "pipeline/parse_json.hpp"
#include "text/utf8.hpp"

#include <stdexcept>

namespace sluice::pipeline {

std::size_t line_parser::take_record(const rest_of_piece& rest, std::vector<element>& out)
{
    const std::string_view text = rest.text();
    const auto [content, all] = first_line(text, rest.searched, rest.is_last);
    if (all == 0)
        return 0;
    const std::string_view line = text.substr(0, content);
    if (!is_too_long(line, this->line())) {
        builder_.keep(rest.buffer);
        add_line(line, builder_, out);
    }
    add_lines(1);
    return all;
}

void text_line_parser::add_line(
    std::string_view line,
    detail::record_builder& builder,
    std::vector<element>& out
)
{
    builder.add({line, field_form::text});
    out.push_back(builder.finish(this->line()));
}

void json_line_parser::add_line(
    std::string_view line,
    detail::record_builder& builder,
    std::vector<element>& out
)
{
    constexpr std::string_view blanks = " \t\r";
    // The parser takes one at the beginning of every text, and it would stay a part of the value.
    if (line.starts_with(text::byte_order_mark)) {
        if (this->line() > 1) {
            refuse(line, this->line(), "no JSON: a byte order mark inside of the file");
            return;
        }
        line.remove_prefix(text::byte_order_mark.size());
    }
    const auto begin = line.find_first_not_of(blanks);
    if (begin == line.npos)
        return;
    const std::string_view value =
        line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
    if (!is_usual_json(value)) {
        try {
            (void)parse_json(line);
        } catch (const std::runtime_error& error) {
            refuse(line, this->line(), error.what());
            return;
        }
    }
    builder.add({value, field_form::json});
    out.push_back(builder.finish(this->line()));
}

}  // namespace sluice::pipeline
