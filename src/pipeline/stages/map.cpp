// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <map>

#include "pipeline/idle_option.hpp"
#include "pipeline/jq/jq_program.hpp"
#include "pipeline/pattern.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/number_choice.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct map_options
{
    std::optional<std::string> replace;
    std::string with;
    std::optional<std::string> extract;
    nlohmann::json numbers = false;
    std::optional<std::string> field;
    std::optional<nlohmann::json> set;
};

// Where a mapping finds the text it works on: all of a text, or a field of a value.
class text_place
{
public:
    explicit text_place(const std::optional<std::string>& field)
    {
        if (field)
            field_.emplace(*field, "field");
    }

    // The text; null if the value has no such field, or if that is no string.
    [[nodiscard]] std::string* find(element& in) const
    {
        if (!field_)
            return &expect_text(in);
        json_value* const found = field_->find(expect_value(in, R"("field")"));
        return found != nullptr ? found->get_ptr<std::string*>() : nullptr;
    }

    // What a field that is no string is written as; nothing if the value has no such field.
    [[nodiscard]] std::optional<std::string> written(element& in) const
    {
        const json_value* const found = field_->find(in.value());
        if (found == nullptr)
            return std::nullopt;
        return element(*found).to_text(invalid_utf8::replace);
    }

private:
    std::optional<field_path> field_;
};

worker_function_stage::function replacing(const map_options& options)
{
    pattern::expect_replacement(options.with, "with");
    return [place = text_place(options.field),
            sought = pattern(*options.replace, "replace"),
            with = options.with](element&& in, std::vector<element>& out) {
        if (std::string* const text = place.find(in))
            *text = sought.replace_all(*text, with);
        out.push_back(std::move(in));
    };
}

std::optional<pattern::groups> found_in(
    element& in,
    const text_place& place,
    const pattern& sought
)
{
    if (const std::string* const text = place.find(in))
        return sought.find(*text);
    const std::optional<std::string> other = place.written(in);
    return other ? sought.find(*other) : std::nullopt;
}

worker_function_stage::function extracting(const map_options& options)
{
    const pattern sought(*options.extract, "extract");
    if (sought.names().empty())
        throw option_error(
            "extract",
            detail::in_quotes(*options.extract),
            "groups with names, such as (?<year>[0-9]+)"
        );
    return [place = text_place(options.field),
            sought,
            numbers = number_choice(options.numbers, sought.names())](
               element&& in,
               std::vector<element>& out
           ) {
        const auto found = found_in(in, place, sought);
        if (!found)
            return;
        json_value groups = json_value::object();
        for (const auto& [name, matched] : *found)
            groups[name] = numbers.value_of(name, matched);
        if (in.is_text())
            in = element(std::move(groups));
        else
            in.value().update(groups);
        out.push_back(std::move(in));
    };
}

worker_function_stage::function taking(const map_options& options)
{
    return [field = field_path(*options.field, "field")](
               element&& in,
               std::vector<element>& out
           ) {
        json_value* const found = field.find(expect_value(in, R"("field")"));
        if (found == nullptr)
            throw std::runtime_error(
                fmt::format("there is no field \"{}\" in {}", field.written(), shown(in))
            );
        out.push_back(from_json(std::move(*found)));
    };
}

// A program for each field.
std::map<std::string, jq_program> make_programs(const nlohmann::json& set)
{
    if (!set.is_object() || set.empty())
        throw option_error(
            "set",
            detail::in_words(set),
            "an object of names and jq programs"
        );
    std::map<std::string, jq_program> programs;
    for (const auto& [name, text] : set.items()) {
        if (!text.is_string())
            throw option_error("set", detail::in_words(text), "a jq program in quotes");
        programs.try_emplace(name, text.get<std::string>(), "set");
    }
    return programs;
}

worker_function_stage::function setting(const map_options& options)
{
    using programs = std::map<std::string, jq_program>;
    return [set = std::make_shared<programs>(make_programs(*options.set)
            )](element&& in, std::vector<element>& out) {
        if (!expect_value(in, R"("set")").is_object())
            throw std::runtime_error(
                fmt::format(R"("set" takes objects, but got {})", shown(in))
            );
        json_value results = json_value::object();  // all see the fields as they were
        for (auto& [name, program] : *set)
            results[name] = program.result_for(in);
        in.value().update(results);
        out.push_back(std::move(in));
    };
}

class map final : public worker_function_stage
{
public:
    explicit map(map_options options) : options_(std::move(options))
    {
        const int chosen = int{options_.replace.has_value()} +
                           int{options_.extract.has_value()} +
                           int{options_.set.has_value()};
        if (chosen > 1)
            throw option_error("set", "several", "one of replace, extract and set");
        if (options_.set && options_.field)
            throw option_error(
                "field",
                detail::in_quotes(*options_.field),
                "no field together with set"
            );
        if (chosen == 0 && !options_.field)
            throw option_error("field", "nothing", "replace, extract, set or field");
        expect_effects();
        make_first_function();  // finds what is wrong in them
    }

    static stage_flow flow(const map_options& options)
    {
        const auto text_or_value = options.field ? element_kind::value
                                                 : element_kind::text;
        if (options.replace)
            return {.takes = text_or_value, .gives = text_or_value};
        if (options.extract)
            return {.takes = text_or_value, .gives = element_kind::value};
        if (options.set)
            return {.takes = element_kind::value, .gives = element_kind::value};
        return {.takes = element_kind::value, .gives = element_kind::any};
    }

private:
    void expect_effects() const
    {
        const map_options defaults;
        if (!options_.replace)
            expect_default("with", options_.with, defaults.with, R"(there is "replace")");
        if (!options_.extract)
            expect_default(
                "numbers",
                options_.numbers,
                defaults.numbers,
                R"(there is "extract")"
            );
    }

    [[nodiscard]] function make_function() const override
    {
        if (options_.replace)
            return replacing(options_);
        if (options_.extract)
            return extracting(options_);
        if (options_.set)
            return setting(options_);
        return taking(options_);
    }

    const map_options options_;
};

constexpr const char* map_details =
    R"(Does one of four things.

"replace" and "with": replaces what a regular expression finds in a text, everywhere; "with"
may name groups as $1, and $$ and \\ stand for $ and \. With "field" it does so in that field of a
value; one that is no string stays as it is.

"extract": makes an object of the named groups of a regular expression; a text in which it
finds nothing is left out. Of groups of one name the first that matched counts. With "field" it
looks there, and in what is no string as it is written. It adds to the value, or replaces a member
of that name; a value without the field is left out. With "numbers" true, or for the groups that it
names, texts that are numbers become numbers.

Regular expressions are those of filter.

"set": computes fields, each by a program in the language jq that has one result. All other
fields stay exactly as they are. The stage jq says more about the language.

"field" alone: gives that field; a string becomes a text.

    { "stage": "map", "from": "lines", "to": "records",
      "options": { "extract": "^(?<host>\\S+) .* (?<bytes>[0-9]+)$", "numbers": ["bytes"] } }
    { "stage": "map", "from": "orders", "to": "sums",
      "options": { "set": { "sum": ".price * .pieces", "is_large": ".price > 100" } } })";

}  // namespace

void add_map(stage_registry& stages)
{
    using options = map_options;
    stages.add<map>(
        {.name = "map",
         .summary = "changes texts, takes them apart, and computes fields",
         .takes = element_kind::any,
         .gives = element_kind::any,
         .details = map_details},
        stage_options<options>()
            .optional("replace", &options::replace, "a regular expression to be replaced")
            .optional("with", &options::with, "what replaces it")
            .optional(
                "extract",
                &options::extract,
                "a regular expression with named groups"
            )
            .optional(
                "numbers",
                &options::numbers,
                "whether extracted numbers become numbers, or of which groups"
            )
            .optional("field", &options::field, "the field that is changed or given")
            .optional("set", &options::set, "names of fields and jq programs for them")
    );
}

}  // namespace sluice::pipeline
