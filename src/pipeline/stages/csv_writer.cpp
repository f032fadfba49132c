// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_writer.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/stages/csv_fields.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

namespace sluice::pipeline {

void append_csv_field(std::string_view field, char separator, std::string& line)
{
    const bool needs_quotes = field.find_first_of("\"\r\n") != std::string_view::npos ||
                              field.find(separator) != std::string_view::npos ||
                              field.starts_with(text::byte_order_mark) ||
                              text::begins_as_utf16(field);
    if (!needs_quotes) {
        line += field;
        return;
    }
    line += '"';
    for (const char c : field) {
        if (c == '"')
            line += c;
        line += c;
    }
    line += '"';
}

csv_writer::csv_writer(const csv_writer_options& options, const line_rules& rules)
    : rules_(rules),
      separator_(checked_separator(options.separator)),
      has_header_(options.header)
{
    if (!options.columns.empty())
        std::call_once(has_columns_, [&] { columns_.emplace(options.columns); });
}

std::string csv_writer::encode(const std::vector<element>& values)
{
    std::call_once(has_columns_, [&] { columns_.emplace(values.front()); });
    std::string lines;
    std::vector<value_view> fields;
    for (const element& each : values) {
        check_value(each);
        const value_view value = detail::view_of(each);
        if (value && !value.is_object() && !value.is_array())
            throw std::runtime_error(
                fmt::format("it takes objects and arrays, but got {}", shown(each))
            );
        columns_->find_in(each, fields);
        append_record(fields, lines);
    }
    return lines;
}

std::string csv_writer::head() const
{
    std::string line;
    if (!has_header_ || !columns_ || columns_->names().empty())
        return line;
    std::vector<value_view> names;
    for (const std::string& each : columns_->names())
        names.push_back(value_view::of_text(each));
    append_record(names, line);
    return line;
}

// One empty field is in quotes, because an empty line is no record.
void csv_writer::append_record(const std::vector<value_view>& fields, std::string& lines)
    const
{
    const std::size_t begin = lines.size();
    std::string scratch;
    for (const value_view& each : fields) {
        if (&each != &fields.front())
            lines += separator_;
        if (each && !each.is_null())
            append_csv_field(written(each, rules_, scratch), separator_, lines);
    }
    if (lines.size() == begin)
        lines += "\"\"";
    lines += '\n';
}

}  // namespace sluice::pipeline
