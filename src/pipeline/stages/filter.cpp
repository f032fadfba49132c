// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/expression.hpp"
#include "pipeline/stages/pattern.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
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
    explicit filter(const filter_options& options) : where_(options.where)
    {
        if (!options.matches && !options.not_matches && !options.where)
            throw option_error("where", "nothing", "matches, not_matches or where");
        if (options.matches)
            matches_ = make_pattern(*options.matches, "matches");
        if (options.not_matches)
            not_matches_ = make_pattern(*options.not_matches, "not_matches");
        if (options.field)
            field_.emplace(*options.field, "field");
        if (options.where)
            expression(*options.where, "where");
    }

    static stage_flow flow(const filter_options& options)
    {
        const bool looks_inside = options.field || options.where;
        return {
            .takes = looks_inside ? element_kind::value : element_kind::any,
            .gives = element_kind::same
        };
    }

private:
    [[nodiscard]] function make_function() const override
    {
        std::shared_ptr<expression> where;
        if (where_)
            where = std::make_shared<expression>(*where_, "where");
        return [this, where](element&& in, std::vector<element>& out) {
            if (texts_pass(in) && (!where || number_passes(in, *where)))
                out.push_back(std::move(in));
        };
    }

    [[nodiscard]] static bool number_passes(element& in, expression& where)
    {
        const json_value& value = expect_value(in, "filter with where");
        return where.has_fields(value) && where.evaluate(value) != 0;
    }

    [[nodiscard]] bool texts_pass(element& in) const
    {
        if (!matches_ && !not_matches_)
            return true;
        if (in.is_text() && !field_)
            return text_passes(in.text());
        const auto text = text_of(in);
        return text ? text_passes(*text) : !matches_;
    }

    // The text of the field, or of all; nothing if there is no such field.
    [[nodiscard]] std::optional<std::string> text_of(element& in) const
    {
        if (!field_)
            return element(in).to_text(invalid_utf8::replace);
        const auto* found = field_->find(expect_value(in, "filter with field"));
        if (found == nullptr)
            return std::nullopt;
        return element(*found).to_text(invalid_utf8::replace);
    }

    [[nodiscard]] bool text_passes(const std::string& text) const
    {
        return (!matches_ || is_found(*matches_, text)) &&
               (!not_matches_ || !is_found(*not_matches_, text));
    }

    std::optional<boost::regex> matches_;
    std::optional<boost::regex> not_matches_;
    std::optional<field_path> field_;  // what they look at, instead of all
    std::optional<std::string> where_;
};

constexpr const char* filter_details =
    R"(An element passes if all conditions hold. "matches" is a regular expression that is found
in the text or in "field", "not_matches" one that is not. "where" is a numeric expression
over the fields of a value; it holds unless it gives 0. A number itself is called value. A
value without one of the fields, or with null in it, matches nothing.

    { "stage": "filter", "from": "lines", "to": "errors",
      "options": { "matches": "^ERROR" } }
    { "stage": "filter", "from": "records", "to": "large",
      "options": { "where": "price * pieces > 1000" } })";

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
            .optional("field", &options::field, "the field these look at, instead of all")
            .optional("where", &options::where, "an expression that must not be 0")
    );
}

}  // namespace sluice::pipeline
