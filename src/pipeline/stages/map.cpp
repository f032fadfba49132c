// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/record_builder.hpp"
#include "pipeline/libraries/pattern.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/field_changes.hpp"
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
    std::string unmatched = "error";
    std::optional<std::string> field;
    std::optional<nlohmann::json> set;
    std::optional<nlohmann::json> rename;
    std::optional<std::vector<std::string>> keep;
    std::optional<std::vector<std::string>> drop;

    [[nodiscard]] bool change_fields() const { return set || rename || keep || drop; }
};

std::optional<field_path> path_of(const std::optional<std::string>& field)
{
    return field ? std::optional(field_path(*field, "field")) : std::nullopt;
}

worker_function_stage::function replacing(const map_options& options)
{
    pattern::expect_replacement(options.with, "with");
    return [field = path_of(options.field),
            sought = pattern(*options.replace, "replace"),
            with = options.with](element&& in, std::vector<element>& out) {
        if (!field) {
            check_text(in);
            out.emplace_back(sought.replace_all(std::as_const(in).text(), with));
            return;
        }
        json_value* const found = field->find(expect_value(in, R"("field")"));
        if (found != nullptr && found->is_string())
            *found = sought.replace_all(found->get_ref<const std::string&>(), with);
        out.push_back(std::move(in));
    };
}

// Makes a record of the groups of a pattern, or adds them to one.
class extraction
{
public:
    extraction(const map_options& options, pattern sought)
        : field_(path_of(options.field)),
          sought_(std::move(sought)),
          unmatched_(options.unmatched),
          numbers_(options.numbers, sought_.names()),
          groups_(std::make_shared<detail::field_names>(sought_.names())),
          builder_(std::in_place, groups_)
    {
    }

    void apply(element&& in, std::vector<element>& out)
    {
        if (field_)
            check_value(in, R"("field")");
        else
            check_text(in);
        std::string scratch;
        const value_view text = field_ ? field_->find_in(in) : detail::view_of(in);
        const auto written = text.written(scratch, invalid_utf8::replace);
        if (!text || !sought_.find(written, found_))
            return add_unmatched(std::move(in), out);
        if (field_) {
            add_to(in);
            out.push_back(std::move(in));
            return;
        }
        const std::uint64_t line = builder_->follow(in);
        for (std::size_t i = 0; i < found_.size(); ++i)
            builder_->add_part(in, field_at(i));
        out.push_back(builder_->finish(line));
    }

private:
    // A group that did not match is null.
    [[nodiscard]] field field_at(std::size_t i) const
    {
        if (found_[i].data() == nullptr)
            return {"null", field_form::json};
        return numbers_.field_of(i, found_[i]);
    }

    void add_unmatched(element&& in, std::vector<element>& out) const
    {
        if (unmatched_ == "error")
            throw std::runtime_error(fmt::format(
                R"("extract" finds nothing in {}; "unmatched": "drop" leaves that out)",
                shown(in)
            ));
        if (unmatched_ == "pass")
            out.push_back(std::move(in));
    }

    void add_to(element& in)
    {
        json_value groups = json_value::object();
        for (std::size_t i = 0; i < found_.size(); ++i)
            groups[sought_.names()[i]] = value_view(field_at(i)).to_json();
        in.value().update(groups);
    }

    std::optional<field_path> field_;
    pattern sought_;
    std::string unmatched_;
    number_choice numbers_;
    std::shared_ptr<const detail::field_names> groups_;
    std::optional<detail::record_builder> builder_;
    std::vector<std::string_view> found_;  // the groups of the last match
};

worker_function_stage::function extracting(const map_options& options)
{
    pattern sought(*options.extract, "extract");
    if (sought.names().empty())
        throw option_error(
            "extract",
            detail::in_quotes(*options.extract),
            "groups with names, such as (?<year>[0-9]+)"
        );
    return [made = std::make_shared<extraction>(options, std::move(sought))](
               element&& in,
               std::vector<element>& out
           ) { made->apply(std::move(in), out); };
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

worker_function_stage::function changing_fields(const map_options& options)
{
    const auto changes = std::make_shared<field_changes>(
        options.set,
        options.rename,
        options.keep,
        options.drop
    );
    return [changes](element&& in, std::vector<element>& out) {
        out.push_back(changes->apply(std::move(in)));
    };
}

class map final : public worker_function_stage
{
public:
    explicit map(map_options options) : options_(std::move(options))
    {
        const int chosen = int{options_.replace.has_value()} +
                           int{options_.extract.has_value()} +
                           int{options_.change_fields()};
        if (chosen > 1)
            throw option_error(
                "set",
                "several",
                "one of replace, extract, and changes of fields"
            );
        if (options_.change_fields() && options_.field)
            throw option_error(
                "field",
                detail::in_quotes(*options_.field),
                "no field together with set, rename, keep or drop"
            );
        if (chosen == 0 && !options_.field)
            throw option_error(
                "field",
                "nothing",
                "replace, extract, set, rename, keep, drop or field"
            );
        make_first_function();  // finds what is wrong in them
    }

    static stage_flow flow(const map_options& options)
    {
        const auto text_or_value = options.field ? element_kind::value
                                                 : element_kind::text;
        if (options.replace)
            return {.takes = text_or_value, .gives = text_or_value};
        if (options.extract && options.unmatched == "pass")
            return {.takes = text_or_value, .gives = element_kind::any};
        if (options.extract)
            return {.takes = text_or_value, .gives = element_kind::value};
        if (options.change_fields())
            return {.takes = element_kind::value, .gives = element_kind::value};
        return {.takes = element_kind::value, .gives = element_kind::any};
    }

private:
    [[nodiscard]] function make_function() const override
    {
        if (options_.replace)
            return replacing(options_);
        if (options_.extract)
            return extracting(options_);
        if (options_.change_fields())
            return changing_fields(options_);
        return taking(options_);
    }

    const map_options options_;
};

constexpr const char* map_details =
    R"(Does one of four things.

"replace" and "with": replaces what a regular expression finds in a text, everywhere; "with"
may name groups as $1, and $$ and \\ stand for $ and \. With "field" it does so in that field of a
value; one that is no string stays as it is.

"extract": makes an object of the named groups of a regular expression. Of groups of one name the
first that matched counts, and one that did not match is null. With "field" it looks there, and in
what is no string as it is written. It adds to the value, or replaces a member of that name. A text
in which it finds nothing, or a value without the field, is an error of that element; see "on_error"
of runners. If "unmatched" is drop it is left out instead, and if it is pass it stays as it is. With
"numbers" true, or for the groups that it names, texts that are numbers become numbers.

Regular expressions are those of filter.

"set", "rename", "keep" and "drop": change the fields of objects. Several may be there, and happen in
this order. "set" computes fields, each by an expression as in "where" of filter. All expressions see
the fields as they came in. One that is a field, such as .price, gives it as it is written. New
fields come behind the others, in the order of the bytes of their names.
"rename" gives fields other names, and two fields of one name are an error. "keep" leaves only the
fields that it names, and "drop" leaves them out. A name that an object does not have changes
nothing. All other fields stay exactly as they are.

"field" alone: gives that field; a string becomes a text.

    { "stage": "map", "from": "lines", "to": "records",
      "options": { "extract": "^(?<host>\\S+) .* (?<bytes>[0-9]+)$", "numbers": ["bytes"] } }
    { "stage": "map", "from": "orders", "to": "sums",
      "options": { "set": { "sum": ".price * .pieces", "is_large": ".price > 100" },
                   "rename": { "id": "order" }, "drop": ["price", "pieces"] } })";

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
            .optional("with", &options::with, "what replaces it", {.needs = {"replace"}})
            .optional(
                "extract",
                &options::extract,
                "a regular expression with named groups"
            )
            .optional(
                "numbers",
                &options::numbers,
                "whether extracted numbers become numbers, or of which groups",
                {.needs = {"extract"}}
            )
            .optional(
                "unmatched",
                &options::unmatched,
                "what happens to elements in which a pattern to extract finds nothing",
                {.choices = {"error", "drop", "pass"}, .needs = {"extract"}}
            )
            .optional("field", &options::field, "the field that is changed or given")
            .optional("set", &options::set, "names of fields and expressions for them")
            .optional("rename", &options::rename, "old names of fields and new ones")
            .optional("keep", &options::keep, "the only fields that stay")
            .optional("drop", &options::drop, "fields that are left out")
    );
}

}  // namespace sluice::pipeline
