// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"
#include "pipeline/different_names.hpp"
#include "pipeline/idle_option.hpp"
#include "pipeline/parse_json.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/number_choice.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct parse_options
{
    std::string as;
    std::optional<std::string> field;
    std::vector<std::string> columns;
    std::string separator = ",";
    nlohmann::json numbers = false;
};

using text_function = std::function<json_value(std::string_view)>;

json_value to_array(std::vector<std::string>&& fields, const number_choice& numbers)
{
    json_value::array_t array;
    for (std::string& field : fields)
        array.push_back(numbers.value_of("", std::move(field)));
    return array;
}

json_value to_object(
    const std::vector<std::string>& names,
    std::vector<std::string>&& fields,
    const number_choice& numbers
)
{
    json_value::object_t object;
    for (std::size_t i = 0; i < fields.size(); ++i)
        object.emplace_back(names[i], numbers.value_of(names[i], std::move(fields[i])));
    return object;
}

text_function csv_parser_for(const parse_options& options)
{
    expect_different_names("columns", options.columns);
    return [separator = checked_separator(options.separator),
            columns = options.columns,
            numbers = number_choice(options.numbers, options.columns)](
               std::string_view text
           ) {
        std::vector<std::string> fields = split_csv(text, separator);
        if (!columns.empty() && fields.size() != columns.size())
            throw std::runtime_error(fmt::format(
                "no CSV of these columns: {} for {}",
                detail::counted(fields.size(), "field"),
                detail::counted(columns.size(), "column")
            ));
        return columns.empty() ? to_array(std::move(fields), numbers)
                               : to_object(columns, std::move(fields), numbers);
    };
}

text_function parser_for(const parse_options& options)
{
    if (options.as == "csv")
        return csv_parser_for(options);
    const parse_options defaults;
    constexpr const char* unless = R"("as" is "csv")";
    expect_default("columns", options.columns, defaults.columns, unless);
    expect_default("separator", options.separator, defaults.separator, unless);
    expect_default("numbers", options.numbers, defaults.numbers, unless);
    return [](std::string_view text) { return parse_json(text); };
}

class parsing final : public worker_function_stage
{
public:
    static stage_flow flow(const parse_options& options)
    {
        return {
            .takes = options.field ? element_kind::value : element_kind::text,
            .gives = element_kind::value
        };
    }

    explicit parsing(const parse_options& options) : parse_(parser_for(options))
    {
        if (options.field)
            field_.emplace(*options.field, "field");
    }

private:
    [[nodiscard]] function make_function() const override
    {
        return [this](element&& in, std::vector<element>& out) {
            if (field_) {
                parse_field(in);
            } else {
                check_text(in);
                in = element(value_of(std::as_const(in).text()));
            }
            out.push_back(std::move(in));
        };
    }

    void parse_field(element& in) const
    {
        json_value* const found = field_->find(expect_value(in, R"("field")"));
        if (found == nullptr || !found->is_string())
            throw std::runtime_error(
                fmt::format("there is no text {} in {}", field_->written(), shown(in))
            );
        *found = value_of(found->get_ref<const std::string&>());
    }

    [[nodiscard]] json_value value_of(std::string_view text) const
    {
        try {
            return parse_(text);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(
                fmt::format("{}: {}", error.what(), shown(element(text)))
            );
        }
    }

    const text_function parse_;
    std::optional<field_path> field_;  // what is parsed, instead of all
};

constexpr const char* parse_details =
    R"("as" says what the texts are. With json each is one JSON value. With csv each is a record on one
line. It becomes an object with a member for each of "columns", or an array if there are none.
With "numbers" true, or for the columns that it names, fields that are numbers become
numbers. A text that is something else is an error; see "on_error" of runners.

With "field" the elements are values, of which that field is parsed in its place.

For texts of other forms use "extract" of map. The other way, from values to texts, leads the
stage jq: "[.id, .name] | @csv", or "tojson", or a string with \(.id) in it.

    { "stage": "parse", "from": "lines", "to": "records", "options": { "as": "json" } }
    { "stage": "parse", "from": "lines", "to": "orders",
      "options": { "as": "csv", "columns": ["id", "price"], "numbers": ["price"] } })";

}  // namespace

void add_parse(stage_registry& stages)
{
    using options = parse_options;
    stages.add<parsing>(
        {.name = "parse",
         .summary = "makes values of texts that are JSON or CSV",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = parse_details},
        stage_options<options>()
            .required(
                "as",
                &options::as,
                "what the texts are",
                {.choices = {"json", "csv"}}
            )
            .optional(
                "field",
                &options::field,
                "the field that is parsed, instead of all"
            )
            .optional("columns", &options::columns, "the names of the fields of CSV")
            .optional(
                "separator",
                &options::separator,
                "what stands between fields of CSV"
            )
            .optional(
                "numbers",
                &options::numbers,
                "whether numbers in CSV become numbers, or in which columns"
            )
    );
}

}  // namespace sluice::pipeline
