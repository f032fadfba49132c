// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_parser.hpp"

#include "pipeline/csv_line.hpp"
#include "pipeline/different_names.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_fields =
    1'000'000;  // or separators alone would take all memory

std::uint64_t lines_in(std::string_view text)
{
    return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

// Whether `text` may still become something that begins with `mark`.
bool may_begin_with(std::string_view mark, std::string_view text)
{
    return text.size() < mark.size() && mark.starts_with(text);
}

}  // namespace

csv_parser::csv_parser(const csv_options& options) : options_(options)
{
    for (const char each : {options.separator.front(), '\n', '\r'})
        ends_field_[static_cast<unsigned char>(each)] = true;
}

void csv_parser::begin_file()
{
    is_at_start_ = true;
    after_return_ = false;
    header_to_come_ = options_.header;
    lines_to_skip_ = options_.skip_lines;
    if (!options_.columns.empty())
        use_columns(options_.columns);
    else if (!options_.header)
        use_columns({});
}

std::size_t csv_parser::take_record(const rest_of_piece& rest, std::vector<element>& out)
{
    const std::string_view text = rest.text();
    if (rest.searched == 0)
        is_begun_ = false;
    if (std::exchange(after_return_, false) && text.front() == '\n')
        return 1;
    const auto may_become = [&](std::string_view mark) {
        return !rest.is_last && may_begin_with(mark, text);
    };
    if (is_at_start_ &&
        (may_become(byte_order_mark) || may_become("\xff\xfe") || may_become("\xfe\xff")))
        return 0;
    if (std::exchange(is_at_start_, false)) {
        if (text::begins_as_utf16(text))
            fail(line(), text::in_utf16);
        if (text.starts_with(byte_order_mark))
            return byte_order_mark.size();
    }
    if (lines_to_skip_ > 0 || may_become(options_.comment) ||
        (!options_.comment.empty() && text.starts_with(options_.comment)))
        return take_other_line(rest);
    const std::size_t size = find_fields(rest);
    if (size == 0)
        return 0;
    if (wrong_ != nullptr)
        return refuse_line(rest, size);
    const bool has_end = text[size - 1] == '\n' || text[size - 1] == '\r';
    const std::string_view record = text.substr(0, has_end ? size - 1 : size);
    if (is_too_long(record, line()))
        return leave_first_line(text.substr(0, size));
    if (record.empty()) {
        // an empty line is no record
    } else if (header_to_come_) {
        take_header(rest);
    } else {
        add_record(rest, record, out);
    }
    after_return_ = text[size - 1] == '\r';
    add_lines(1 + lines_in_quotes_);
    return size;
}

// A line of a preamble, or a comment.
std::size_t csv_parser::take_other_line(const rest_of_piece& rest)
{
    const std::size_t size = first_line(rest.text(), rest.searched, rest.is_last).all;
    if (size == 0)
        return 0;
    if (lines_to_skip_ > 0)
        --lines_to_skip_;
    add_lines(1);
    return size;
}

// Gives the length of the record with its end; 0: the end has not come. Goes on where it has ended,
// so that a long record that comes in many pieces is looked at once.
std::size_t csv_parser::find_fields(const rest_of_piece& rest)
{
    const std::string_view text = rest.text();
    if (!std::exchange(is_begun_, true)) {
        fields_.clear();
        lines_in_quotes_ = 0;
        field_ = {};
    }
    wrong_ = nullptr;
    is_open_ = false;
    while (true) {
        if (fields_.size() == most_fields) {
            wrong_ = "more than a million fields";
            return field_.begin;
        }
        const bool is_quoted = field_.begin < text.size() && text[field_.begin] == '"';
        const auto found = is_quoted ? end_of_quoted(rest) : end_of_plain(text);
        if (!found || (*found == text.size() && !rest.is_last))
            return 0;
        const std::size_t end = *found;
        if (is_quoted && end < text.size() && !ends_field(text[end])) {
            wrong_ =
                "text behind a closing quote; a quote inside quotes is written twice";
            return end;
        }
        add_field(text, end, is_quoted);
        if (end == text.size())
            return end;
        if (text[end] == '\n' || text[end] == '\r')
            return end + 1;
        field_ = {.begin = end + 1};
    }
}

std::optional<std::size_t> csv_parser::end_of_plain(std::string_view text)
{
    std::size_t at = std::max(field_.begin, field_.searched);
    while (at < text.size() && !ends_field(text[at]))
        ++at;
    field_.searched = at;
    return at;
}

// Behind the closing quote; nothing if that has not come.
std::optional<std::size_t> csv_parser::end_of_quoted(const rest_of_piece& rest)
{
    const std::string_view text = rest.text();
    std::size_t at = std::max(field_.begin + 1, field_.searched);
    while (true) {
        at = text.find('"', at);
        is_open_ = at == text.npos;
        field_.searched = is_open_ ? text.size() : at;
        if (is_open_ || (at + 1 == text.size() && !rest.is_last))
            return std::nullopt;
        if (at + 1 == text.size() || text[at + 1] != '"')
            return at + 1;
        field_.has_quotes = true;  // two quotes stand for one
        at += 2;
    }
}

void csv_parser::add_field(std::string_view text, std::size_t end, bool is_quoted)
{
    const std::size_t quotes = is_quoted ? 1 : 0;
    const std::size_t begin = field_.begin + quotes;
    const std::string_view content = text.substr(begin, end - quotes - begin);
    fields_.push_back({begin, content.size(), field_.has_quotes});
    if (is_quoted)
        lines_in_quotes_ += lines_in(content);
}

std::string csv_parser::reason_for_no_end() const
{
    return is_open_ ? "a quote is opened and never closed" : "";
}

// Only the line in which it begins: the quote may be the mistake, and more lines be right.
std::size_t csv_parser::refuse_line(const rest_of_piece& rest, std::size_t size)
{
    const std::string_view text = rest.text();
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (end == text.size() && !rest.is_last)
        return 0;
    std::string reason = wrong_;
    if (const std::uint64_t lines = lines_in(text.substr(0, size)); lines > 0)
        reason += fmt::format("; the record goes on to line {}", line() + lines);
    refuse(text.substr(0, end), line(), reason);
    return leave_first_line(text);
}

// What follows it is read again.
std::size_t csv_parser::leave_first_line(std::string_view record)
{
    const std::size_t end = record.find_first_of("\r\n");
    add_lines(1);
    after_return_ = end != record.npos && record[end] == '\r';
    return end != record.npos ? end + 1 : record.size();
}

// In the buffer, where the field gets shorter.
void csv_parser::resolve_quotes(const rest_of_piece& rest)
{
    for (found_field& each : fields_) {
        if (!std::exchange(each.has_quotes, false))
            continue;
        char* const begin = rest.buffer->data() + rest.begin + each.begin;
        char* out = begin;
        for (const char* in = begin; in != begin + each.size; ++in) {
            *out++ = *in;
            if (*in == '"')
                ++in;
        }
        each.size = static_cast<std::size_t>(out - begin);
    }
}

void csv_parser::take_header(const rest_of_piece& rest)
{
    header_to_come_ = false;
    if (!options_.columns.empty())
        return;
    resolve_quotes(rest);
    std::vector<std::string> names;
    for (const found_field& each : fields_)
        names.emplace_back(rest.text().substr(each.begin, each.size));
    if (const auto name = repeated_name(names))
        fail(
            line(),
            fmt::format("several columns are called {}", detail::in_quotes(*name))
        );
    use_columns(names);
}

void csv_parser::use_columns(const std::vector<std::string>& names)
{
    const bool are_known = builder_ && (columns_ == nullptr ? names.empty()
                                                            : names == columns_->names());
    if (!are_known) {
        columns_ = names.empty() ? nullptr : std::make_shared<detail::field_names>(names);
        builder_.emplace(columns_);
        find_number_columns(names);
    }
    builder_->from(file());
}

void csv_parser::find_number_columns(const std::vector<std::string>& names)
{
    number_columns_.assign(names.size(), false);
    if (!options_.numbers.is_array() || names.empty())
        return;
    for (const auto& name : options_.numbers) {
        const auto found = std::ranges::find(names, name.get<std::string>());
        if (found == names.end())
            fail(
                line(),
                fmt::format(
                    "there is no column {}, which \"numbers\" names",
                    detail::in_words(name)
                )
            );
        number_columns_[static_cast<std::size_t>(found - names.begin())] = true;
    }
}

bool csv_parser::is_number_column(std::size_t index) const
{
    if (options_.numbers.is_boolean())
        return options_.numbers.get<bool>();
    return index < number_columns_.size() && number_columns_[index];
}

void csv_parser::add_record(
    const rest_of_piece& rest,
    std::string_view record,
    std::vector<element>& out
)
{
    const std::size_t width = columns_ != nullptr ? columns_->names().size()
                                                  : fields_.size();
    const bool is_filled = fields_.size() < width && options_.short_records == "fill";
    if (fields_.size() != width && !is_filled) {
        refuse(
            record,
            line(),
            fmt::format(
                "{} for {}",
                detail::counted(fields_.size(), "field"),
                detail::counted(width, "column")
            )
        );
        return;
    }
    resolve_quotes(rest);
    if (columns_ == nullptr) {
        json_value array = json_value::array();
        for (std::size_t i = 0; i < width; ++i)
            array.push_back(value_view(field_at(i, rest.text())).to_json());
        out.emplace_back(std::move(array));
        return;
    }
    builder_->keep(rest.buffer);
    for (std::size_t i = 0; i < fields_.size(); ++i)
        builder_->add(field_at(i, rest.text()));
    for (std::size_t i = fields_.size(); i < width; ++i)
        builder_->add({"null", field_form::json});
    out.push_back(builder_->finish(line()));
}

field csv_parser::field_at(std::size_t index, std::string_view text) const
{
    const std::string_view content =
        text.substr(fields_[index].begin, fields_[index].size);
    const bool is_number = is_number_column(index) && number::parse(content);
    return {content, is_number ? field_form::json : field_form::text};
}

}  // namespace sluice::pipeline
