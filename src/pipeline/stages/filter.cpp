// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/expression/expression.hpp"
#include "pipeline/libraries/pattern.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct filter_options
{
    std::optional<std::string> matches;
    std::optional<std::string> not_matches;
    std::optional<std::string> field;
    std::optional<std::string> where;
};

class filter final : public worker_function_stage
{
public:
    explicit filter(const filter_options& options)
    {
        if (!options.matches && !options.not_matches && !options.where)
            throw option_error("where", "nothing", "matches, not_matches or where");
        if (options.matches)
            matches_.emplace(*options.matches, "matches");
        if (options.not_matches)
            not_matches_.emplace(*options.not_matches, "not_matches");
        if (options.field)
            field_.emplace(*options.field, "field");
        if (options.where)
            where_.emplace(*options.where, "where");
    }

    static stage_flow flow(const filter_options& options)
    {
        return {
            .takes = options.field ? element_kind::value : element_kind::any,
            .gives = element_kind::same
        };
    }

private:
    [[nodiscard]] function make_function() const override
    {
        return [this](element&& in, std::vector<element>& out) {
            if (texts_pass(in) && (!where_ || where_->holds_for(in)))
                out.push_back(std::move(in));
        };
    }

    [[nodiscard]] bool texts_pass(const element& in) const
    {
        if (!matches_ && !not_matches_)
            return true;
        if (in.is_text() && !field_)
            return text_passes(in.text());
        if (!field_)
            return text_passes(element(in).to_text(invalid_utf8::replace));
        check_value(in, R"("field")");
        const value_view found = field_->find_in(in);
        std::string scratch;
        return found ? text_passes(found.written(scratch, invalid_utf8::replace))
                     : !matches_;
    }

    [[nodiscard]] bool text_passes(std::string_view text) const
    {
        return (!matches_ || matches_->is_found(text)) &&
               (!not_matches_ || !not_matches_->is_found(text));
    }

    std::optional<pattern> matches_;
    std::optional<pattern> not_matches_;
    std::optional<field_path> field_;  // what they look at, instead of all
    std::optional<expression> where_;
};

constexpr const char* filter_details =
    R"(An element passes if all conditions hold. "matches" is a regular expression that is found
in the text or in "field", "not_matches" one that is not. A value without the field matches
nothing.

Regular expressions are as in Perl (PCRE2). In UTF-8 a character beyond ASCII is one character, and
in other texts bytes are, as in Latin-1. The letters of all languages are \p{L}, and (?i) is for all
of them. Only those of ASCII are in \w and [[:alpha:]], unless the pattern begins with (*UCP). It is
an error if the search of a pattern takes too many steps, as one with nested repetitions may.

"where" is a condition over the fields. It holds if what it gives is neither false nor null.

- .price is a field, .file.size and .tags[0] are parts of one, ."odd name" has a name with other
  characters, and . is all of the element. What is missing is null.
- 5, -1.5, "Rome", true, false and null are constants, as JSON has them.
- == and != compare all values. < <= > and >= hold only for two numbers or two strings. Neither a
  missing field nor the text "n/a" passes .price < 5 or .price > 5.
- and, or and not combine conditions. What is neither false nor null counts as true.
- + - * / and % compute with numbers. Anything else there is an error that shows it.
- .price // 0 is 0 if the price is missing, null or false.
- .name | length counts the characters of a string, or what is in an array or object. Behind a pipe,
  . is what stands before it.

This is a part of the language jq, and binds as there, but has its own rules for types and numbers.
The stage jq takes all of that language. Fields of csv are texts unless its option "numbers" names
them. What passes is not changed.

    { "stage": "filter", "from": "lines", "to": "errors",
      "options": { "matches": "^ERROR" } }
    { "stage": "filter", "from": "records", "to": "large",
      "options": { "where": ".price * .pieces > 1000 and .city == \"Rome\"" } })";

}  // namespace

void add_filter(stage_registry& stages)
{
    using options = filter_options;
    stages.add<filter>(
        {.name = "filter",
         .summary = "passes on what matches",
         .takes = element_kind::any,
         .gives = element_kind::same,
         .details = filter_details},
        stage_options<options>()
            .optional(
                "matches",
                &options::matches,
                "a regular expression that must match"
            )
            .optional("not_matches", &options::not_matches, "one that must not match")
            .optional(
                "field",
                &options::field,
                "the field these look at, instead of all",
                {.needs = {"matches", "not_matches"}}
            )
            .optional(
                "where",
                &options::where,
                "a condition that must hold, such as \".status >= 500\""
            )
    );
}

}  // namespace sluice::pipeline
