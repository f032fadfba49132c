// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/to_lines.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/words.hpp"

#include <fmt/format.h>

namespace sluice::pipeline {

namespace {

invalid_utf8 byte_rule(const line_options& options)
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

// What JSON cannot hold is refused with a remedy.
template <class Action>
void do_or_explain(const Action& action)
{
    try {
        action();
    } catch (const std::runtime_error& error) {
        throw refused_line(fmt::format(
            R"({}, which JSON has to be; "invalid_utf8": "replace" writes U+FFFD for what is not)",
            error.what()
        ));
    }
}

void append_text(std::string_view text, newline_rule rule, std::string& out)
{
    expect_line(text, rule);
    if (rule == newline_rule::escape)
        out += escaped(text);
    else
        out += text;
}

}  // namespace

line_rules json_rules(const line_options& options)
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

void expect_line(std::string_view text, newline_rule rule)
{
    if (rule == newline_rule::refuse && text.find('\n') != text.npos)
        throw refused_line(fmt::format(
            R"(the text {} holds a newline and would become several lines; )"
            R"("newlines": "escape" writes \n for it, and "keep" writes the lines)",
            detail::in_quotes(text)
        ));
}

std::string to_line(std::string_view text, newline_rule rule)
{
    std::string line;
    append_text(text, rule, line);
    return line;
}

void append_element(const element& given, const line_rules& rules, std::string& out)
{
    const value_view view = detail::view_of(given);
    if (rules.format == line_format::text && view.is_string()) {
        std::string scratch;
        append_text(view.string(scratch), rules.newlines, out);
        return;
    }
    do_or_explain([&] { detail::append_json(given, out, rules.bytes); });
}

void append_compact(const value_view& given, const line_rules& rules, std::string& out)
{
    do_or_explain([&] { given.append_compact(out, rules.bytes); });
}

std::string_view written(
    const value_view& given,
    const line_rules& rules,
    std::string& scratch
)
{
    std::string_view found;
    do_or_explain([&] { found = given.written(scratch, rules.bytes); });
    return found;
}

std::string to_lines(const std::vector<element>& elements, const line_rules& rules)
{
    std::string lines;
    for (const element& each : elements) {
        append_element(each, rules, lines);
        lines += '\n';
    }
    return lines;
}

}  // namespace sluice::pipeline
