// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"
#include "pipeline/stages/columns.hpp"
#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <mutex>
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
          columns_(options.columns),
          finds_columns_(options.columns.empty())
    {
    }

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        check_value(elements.front());
        if (finds_columns_)
            std::call_once(found_, [&] { columns_ = columns(elements.front()); });
        std::string lines;
        std::vector<value_view> fields;
        for (const element& each : elements) {
            check_value(each);
            columns_.find_in(each, fields);
            csv_record record(separator_, lines);
            for (const value_view& field : fields)
                record.add(field);
            record.end();
        }
        return lines;
    }

    [[nodiscard]] std::string head() override
    {
        std::string line;
        if (!has_header_ || columns_.names().empty())
            return line;
        csv_record names(separator_, line);
        for (const std::string& each : columns_.names())
            names.add(value_view::of_text(each));
        names.end();
        return line;
    }

    const char separator_;
    const bool has_header_;
    columns columns_;
    const bool finds_columns_;  // in the first value
    std::once_flag found_;
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
