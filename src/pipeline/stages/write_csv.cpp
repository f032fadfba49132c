// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"
#include "pipeline/data/content.hpp"
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

// A line that is made field by field.
class csv_record
{
public:
    csv_record(char separator, std::string& lines)
        : separator_(separator), lines_(lines), begin_(lines.size())
    {
    }

    void add(const value_view& field)
    {
        if (std::exchange(has_fields_, true))
            lines_ += separator_;
        if (field && !field.is_null())
            append_csv_field(
                field.written(scratch_, invalid_utf8::refuse),
                separator_,
                lines_
            );
    }

    // One empty field is in quotes, because an empty line is no record.
    void end()
    {
        if (lines_.size() == begin_)
            lines_ += "\"\"";
        lines_ += '\n';
    }

private:
    const char separator_;
    std::string& lines_;
    const std::size_t begin_;
    bool has_fields_ = false;
    std::string scratch_;
};

class write_csv final : public file_sink
{
public:
    explicit write_csv(const write_csv_options& options)
        : file_sink(options, io::record_end::newline_outside_quotes),
          separator_(checked_separator(options.separator)),
          has_header_(options.header),
          finds_columns_(options.columns.empty())
    {
        add_columns(options.columns);
    }

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        if (finds_columns_)
            std::call_once(found_, [&] { find_columns(elements.front()); });
        std::string lines;
        for (const element& each : elements) {
            csv_record record(separator_, lines);
            add_fields(each, record);
            record.end();
        }
        return lines;
    }

    [[nodiscard]] std::string head() override
    {
        std::string line;
        if (!has_header_ || columns_.empty())
            return line;
        csv_record names(separator_, line);
        for (const column& each : columns_)
            names.add(value_view::of_text(each.name));
        names.end();
        return line;
    }

    void add_columns(const std::vector<std::string>& names)
    {
        for (const std::string& name : names)
            columns_.push_back({name, field_path(name, "columns")});
    }

    // Those of the first value; arrays have none.
    void find_columns(const element& first)
    {
        check_value(first);
        const json_value value = first.to_json();
        if (!value.is_object())
            return;
        for (const auto& [name, field] : value.items())
            columns_.push_back({name, field_path(detail::pointer_step(name), "columns")});
    }

    void add_fields(const element& given, csv_record& record) const
    {
        check_value(given);
        const value_view value = detail::view_of(given);
        const bool is_array = value.is_array();
        const std::size_t size = size_of(given);
        if (is_array && (columns_.empty() || columns_.size() == size))
            for (std::size_t i = 0; i < size; ++i)
                record.add(value.item(i));
        else if ((!value || value.is_object()) && !columns_.empty())
            add_columns_of(given, size, record);
        else
            throw std::runtime_error(fmt::format(
                "it takes objects, or arrays with a field for each column, but got {}",
                shown(given)
            ));
    }

    void add_columns_of(const element& object, std::size_t size, csv_record& record) const
    {
        std::size_t found = 0;
        for (const column& each : columns_) {
            const value_view field = each.path.find_in(object);
            found += field ? 1U : 0U;
            record.add(field);
        }
        if (finds_columns_ && found < size)
            throw std::runtime_error(fmt::format(
                "{} has a field that the first value has not; name all in \"columns\"",
                shown(object)
            ));
    }

    [[nodiscard]] static std::size_t size_of(const element& value)
    {
        const auto* const block = detail::block_of(value);
        return block != nullptr && block->names() != nullptr ? block->width()
                                                             : value.to_json().size();
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
         .details = std::string(write_csv_details).append(append_details)},
        std::move(described)
    );
}

}  // namespace sluice::pipeline
