// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"
#include "pipeline/option_checks.hpp"
#include "pipeline/stages/csv_fields.hpp"
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

// Makes a value of a text that is one record.
class csv_record
{
public:
    explicit csv_record(const parse_options& options)
        : columns_(options.columns),
          fields_(options.separator),
          numbers_(options.numbers, options.columns)
    {
        expect_different_names("columns", options.columns);
    }

    json_value operator()(std::string_view given)
    {
        text_ = given;
        find_fields();
        if (columns_.empty()) {
            json_value array = json_value::array();
            for (std::size_t i = 0; i < fields_.size(); ++i)
                array.push_back(field_at(i));
            return array;
        }
        if (fields_.size() != columns_.size())
            throw std::runtime_error(fmt::format(
                "no CSV of these columns: {} for {}",
                detail::counted(fields_.size(), "field"),
                detail::counted(columns_.size(), "column")
            ));
        json_value::object_t object;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            object.emplace_back(columns_[i], field_at(i));
        return object;
    }

private:
    void find_fields()
    {
        fields_.begin();
        const std::size_t size = fields_.find(text_, true);
        if (fields_.is_open())
            throw std::runtime_error("no CSV: a quote is opened and never closed");
        if (fields_.wrong() != nullptr)
            throw std::runtime_error(fmt::format("no CSV: {}", fields_.wrong()));
        const std::string_view rest = std::string_view(text_).substr(size);
        if (!rest.empty() && (rest != "\n" || text_[size - 1] != '\r'))
            throw std::runtime_error("no CSV of one record: a line ends outside quotes");
        fields_.resolve_quotes(text_.data());
    }

    [[nodiscard]] json_value field_at(std::size_t i) const
    {
        return value_view(numbers_.field_of(i, fields_.at(i, text_))).to_json();
    }

    std::vector<std::string> columns_;  // empty: the value is an array
    csv_fields fields_;
    number_choice numbers_;
    std::string text_;
};

text_function parser_for(const parse_options& options)
{
    if (options.as == "csv")
        return csv_record(options);
    return [](std::string_view text) { return parse_json(text); };
}

json_value value_of(const text_function& parse, std::string_view text)
{
    try {
        return parse(text);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", error.what(), shown(element(text)))
        );
    }
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

    explicit parsing(parse_options options) : options_(std::move(options))
    {
        make_first_function();  // finds what is wrong in them
    }

private:
    [[nodiscard]] function make_function() const override
    {
        const text_function parse = parser_for(options_);
        if (!options_.field)
            return [parse](element&& in, std::vector<element>& out) {
                check_text(in);
                out.emplace_back(value_of(parse, std::as_const(in).text()));
            };
        return [parse, field = field_path(*options_.field, "field")](
                   element&& in,
                   std::vector<element>& out
               ) {
            json_value* const found = field.find(expect_value(in, R"("field")"));
            if (found == nullptr || !found->is_string())
                throw std::runtime_error(
                    fmt::format("there is no text {} in {}", field.written(), shown(in))
                );
            *found = value_of(parse, found->get_ref<const std::string&>());
            out.push_back(std::move(in));
        };
    }

    const parse_options options_;
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
    const option_limits csv{.needs = {"as"}, .needed_text = "csv"};
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
            .optional("columns", &options::columns, "the names of the fields of CSV", csv)
            .optional(
                "separator",
                &options::separator,
                "what stands between fields of CSV",
                csv
            )
            .optional(
                "numbers",
                &options::numbers,
                "whether numbers in CSV become numbers, or in which columns",
                csv
            )
    );
}

}  // namespace sluice::pipeline
