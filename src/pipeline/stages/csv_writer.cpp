// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_writer.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/stages/csv_fields.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

std::size_t size_of(const element& value)
{
    const auto* const block = detail::block_of(value);
    return block != nullptr && block->names() != nullptr ? block->width()
                                                         : value.to_json().size();
}

}  // namespace

void append_csv_field(std::string_view field, char separator, std::string& line)
{
    const bool needs_quotes = field.find_first_of("\"\r\n") != std::string_view::npos ||
                              field.find(separator) != std::string_view::npos ||
                              field.starts_with(byte_order_mark) ||
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

// A line that is made field by field.
class csv_writer::record
{
public:
    record(const csv_writer& writer, std::string& lines)
        : writer_(writer), lines_(lines), begin_(lines.size())
    {
    }

    void add(const value_view& field)
    {
        if (std::exchange(has_fields_, true))
            lines_ += writer_.separator_;
        if (field && !field.is_null())
            append_csv_field(
                written(field, writer_.rules_, scratch_),
                writer_.separator_,
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
    const csv_writer& writer_;
    std::string& lines_;
    const std::size_t begin_;
    bool has_fields_ = false;
    std::string scratch_;
};

csv_writer::csv_writer(const csv_writer_options& options, const line_rules& rules)
    : rules_(rules),
      separator_(checked_separator(options.separator)),
      has_header_(options.header),
      finds_columns_(options.columns.empty())
{
    for (const std::string& name : options.columns)
        columns_.push_back({name, field_path(name, "columns")});
}

std::string csv_writer::encode(const std::vector<element>& values)
{
    if (finds_columns_)
        std::call_once(found_, [&] { find_columns(values.front()); });
    std::string lines;
    for (const element& each : values) {
        record made(*this, lines);
        add_fields(each, made);
        made.end();
    }
    return lines;
}

std::string csv_writer::head() const
{
    std::string line;
    if (!has_header_ || columns_.empty())
        return line;
    record names(*this, line);
    for (const column& each : columns_)
        names.add(value_view::of_text(each.name));
    names.end();
    return line;
}

// Those of the first value; arrays have none.
void csv_writer::find_columns(const element& first)
{
    check_value(first);
    const json_value value = first.to_json();
    if (!value.is_object())
        return;
    for (const auto& [name, field] : value.items())
        columns_.push_back({name, field_path(detail::pointer_step(name), "columns")});
}

void csv_writer::add_fields(const element& given, record& made) const
{
    check_value(given);
    const value_view value = detail::view_of(given);
    const bool is_array = value.is_array();
    const std::size_t size = size_of(given);
    if (is_array && (columns_.empty() || columns_.size() == size))
        for (std::size_t i = 0; i < size; ++i)
            made.add(value.item(i));
    else if ((!value || value.is_object()) && !columns_.empty())
        add_columns_of(given, size, made);
    else
        throw std::runtime_error(fmt::format(
            "it takes objects, or arrays with a field for each column, but got {}",
            shown(given)
        ));
}

void csv_writer::add_columns_of(const element& object, std::size_t size, record& made)
    const
{
    std::size_t found = 0;
    for (const column& each : columns_) {
        const value_view field = each.path.find_in(object);
        found += field ? 1U : 0U;
        made.add(field);
    }
    if (finds_columns_ && found < size)
        throw std::runtime_error(fmt::format(
            "{} has a field that the first value has not; name all in \"columns\"",
            shown(object)
        ));
}

}  // namespace sluice::pipeline
