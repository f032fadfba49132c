// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// How elements look as lines.
enum class line_format : unsigned char
{
    text,  // as element::to_text() says
    json   // everything as compact JSON
};

// What happens to newlines in texts, which would make several lines of one element.
enum class newline_rule : unsigned char
{
    refuse,  // that is an error
    escape,  // \n, \r and \\ are written for newlines, carriage returns and backslashes
    keep     // the lines are written
};

// How elements are written as lines.
struct line_rules
{
    line_format format = line_format::text;
    newline_rule newlines = newline_rule::refuse;
    invalid_utf8 bytes = invalid_utf8::refuse;
};

// The options for them that several stages have.
struct line_options
{
    std::string newlines = "refuse";
    std::string invalid_utf8 = "refuse";
};

[[nodiscard]] line_rules json_rules(const line_options& options);
[[nodiscard]] line_rules text_rules(const line_options& options);

// Adds them to those of a stage, whose options derive from line_options. There may be limits of
// "newlines".
template <class Options>
stage_options<Options>& add_line_options(
    stage_options<Options>& options,
    option_limits newlines = {}
)
{
    newlines.choices = {"refuse", "escape", "keep"};
    return options
        .optional(
            "newlines",
            &Options::newlines,
            "what happens to newlines inside texts; escape: \\n stands for them",
            newlines
        )
        .optional(
            "invalid_utf8",
            &Options::invalid_utf8,
            "what happens to bytes that JSON cannot hold; replace: U+FFFD stands for "
            "them",
            {.choices = {"refuse", "replace"}}
        );
}

// An element that a rule refuses.
class refused_line : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// Throws refused_line if the text would become several lines, and the rule is to refuse that.
void expect_line(std::string_view text, newline_rule rule);

// A text as a line, without the newline at its end. Throws refused_line, which shows the text and
// says what to do, if the rule refuses it.
[[nodiscard]] std::string to_line(std::string_view text, newline_rule rule);

// Appends what an element looks like as a line, without the newline at its end. Throws refused_line
// if a rule refuses it. Values that were read stay as they were written.
void append_element(const element& given, const line_rules& rules, std::string& out);

// The same for a value, so that values that differ in blanks only look the same.
void append_compact(const value_view& given, const line_rules& rules, std::string& out);

// A value in a line of other values: a string as it is, others as JSON. In `scratch` only if it is
// not there. Throws refused_line as well.
[[nodiscard]] std::string_view written(
    const value_view& given,
    const line_rules& rules,
    std::string& scratch
);

// The elements as lines, each with its newline.
[[nodiscard]] std::string to_lines(
    const std::vector<element>& elements,
    const line_rules& rules
);

}  // namespace sluice::pipeline
