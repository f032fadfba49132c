// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/to_lines.hpp"

#include "pipeline/words.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace sluice::pipeline {

namespace {

invalid_utf8 byte_rule(const json_line_options& options)
{
    return options.invalid_utf8 == "replace" ? invalid_utf8::replace
                                             : invalid_utf8::refuse;
}

// Backslashes, too, so that no other text looks the same.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\n')
            result += "\\n";
        else if (c == '\r')
            result += "\\r";
        else if (c == '\\')
            result += "\\\\";
        else
            result += c;
    }
    return result;
}

std::string to_json_line(const json_value& json, invalid_utf8 rule)
{
    try {
        return to_json_text(json, rule);
    } catch (const std::runtime_error& error) {
        throw refused_line(fmt::format(
            R"({}, which JSON has to be; "invalid_utf8": "replace" writes U+FFFD for what is not)",
            error.what()
        ));
    }
}

}  // namespace

line_rules json_rules(const json_line_options& options)
{
    return {.format = line_format::json, .bytes = byte_rule(options)};
}

line_rules text_rules(const line_options& options)
{
    newline_rule newlines = newline_rule::refuse;
    if (options.newlines == "escape")
        newlines = newline_rule::escape;
    else if (options.newlines == "keep")
        newlines = newline_rule::keep;
    return {.newlines = newlines, .bytes = byte_rule(options)};
}

std::string to_line(element&& given, const line_rules& rules)
{
    if (given.is_text() && rules.format == line_format::text)
        return to_line(std::move(given.text()), rules.newlines);
    json_value json = std::move(given).to_json();
    if (json.is_string() && rules.format == line_format::text)
        return to_line(std::move(json.get_ref<std::string&>()), rules.newlines);
    return to_json_line(json, rules.bytes);
}

std::string to_line(std::string text, newline_rule rule)
{
    if (rule == newline_rule::escape)
        return escaped(text);
    if (rule == newline_rule::refuse && text.find('\n') != text.npos)
        throw refused_line(fmt::format(
            R"(the text {} holds a newline and would become several lines; )"
            R"("newlines": "escape" writes \n for it, and "keep" writes the lines)",
            detail::in_quotes(text)
        ));
    return text;
}

std::string to_lines(std::vector<element>&& elements, const line_rules& rules)
{
    std::string lines;
    for (element& each : elements) {
        lines += to_line(std::move(each), rules);
        lines += '\n';
    }
    return lines;
}

}  // namespace sluice::pipeline
