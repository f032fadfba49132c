// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct write_csv_options : file_sink_options
{
    std::vector<std::string> columns;
    bool header = true;
    std::string separator = ",";
};

struct column
{
    std::string name;
    field_path path;
};

// What a field of a value is in CSV.
std::string text_of(const json_value& field)
{
    if (field.is_null())
        return {};
    return field.is_string() ? field.get<std::string>() : to_json_text(field);
}

class write_csv final : public file_sink
{
public:
    explicit write_csv(const write_csv_options& options)
        : file_sink(options),
          separator_(checked_separator(options.separator)),
          has_header_(options.header),
          finds_columns_(options.columns.empty())
    {
        if (options.exactly_once && finds_columns_)
            throw option_error(
                "columns",
                R"(no "columns")",
                R"("columns", because "exactly_once" may go on with a file of another run)"
            );
        add_columns(options.columns);
    }

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        if (finds_columns_)
            std::call_once(found_, [&] { find_columns(elements.front()); });
        std::string lines;
        for (element& each : elements)
            append_record(expect_value(each), lines);
        return lines;
    }

    [[nodiscard]] std::string head() override
    {
        std::vector<json_value> names;
        for (const column& each : columns_)
            names.push_back(each.name);
        return has_header_ && !names.empty() ? to_line(names) : std::string();
    }

    void add_columns(const std::vector<std::string>& names)
    {
        for (const std::string& name : names)
            columns_.push_back({name, field_path(name, "columns")});
    }

    // Those of the first value; arrays have none.
    void find_columns(element& first)
    {
        const json_value& value = expect_value(first);
        if (!value.is_object())
            return;
        for (const auto& [name, field] : value.items())
            columns_.push_back({name, field_path(detail::pointer_step(name), "columns")});
    }

    void append_record(json_value& value, std::string& lines) const
    {
        if (value.is_object() && !columns_.empty())
            lines += to_line(fields_of_object(value));
        else if (value.is_array() &&
                 (columns_.empty() || columns_.size() == value.size()))
            lines += to_line({value.begin(), value.end()});
        else
            throw std::runtime_error(fmt::format(
                "it takes objects, or arrays with a field for each column, but got {}",
                shown(element(value))
            ));
    }

    [[nodiscard]] std::vector<json_value> fields_of_object(json_value& value) const
    {
        std::vector<json_value> fields;
        std::size_t found = 0;
        for (const column& each : columns_) {
            const json_value* const field = each.path.find(value);
            found += field != nullptr ? 1 : 0;
            fields.push_back(field != nullptr ? *field : json_value());
        }
        if (finds_columns_ && found < value.size())
            throw std::runtime_error(fmt::format(
                "{} has a field that the first value has not; name all in \"columns\"",
                shown(element(value))
            ));
        return fields;
    }

    // With its newline. One empty field is in quotes, because an empty line is no record.
    [[nodiscard]] std::string to_line(const std::vector<json_value>& fields) const
    {
        std::string line;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i > 0)
                line += separator_;
            append_csv_field(text_of(fields[i]), separator_, line);
        }
        return line.empty() ? "\"\"\n" : line + '\n';
    }

    const char separator_;
    const bool has_header_;
    const bool finds_columns_;  // in the first value
    std::once_flag found_;
    std::vector<column> columns_;
};

constexpr const char* write_csv_details =
    R"(Each value becomes a record. "columns" names the fields that are written, in their order; a
field that is missing or null is empty. Without "columns" they are the fields of the first
value, and a value with more fields is an error, so that nothing is lost. Of an array all is
written. What is an array or an object inside a value is written as JSON. Fields are in quotes
if they need them.

The file is there when the pipeline has come to its end, as that of write_lines.

    { "stage": "write_csv", "from": "orders",
      "options": { "path": "orders.csv", "columns": ["id", "city", "price"] } })";

}  // namespace

void add_write_csv(stage_registry& stages)
{
    using options = write_csv_options;
    stage_options<options> described;
    add_file_sink_options(described)
        .optional("columns", &options::columns, "the fields that are written, in order")
        .optional("header", &options::header, "whether their names are the first record")
        .optional("separator", &options::separator, "what stands between fields");
    stages.add<write_csv>(
        {.name = "write_csv",
         .summary = "writes each value as a record of CSV into a file",
         .takes = element_kind::value,
         .gives = element_kind::none,
         .details = std::string(write_csv_details).append(exactly_once_details)},
        std::move(described)
    );
}

}  // namespace sluice::pipeline
