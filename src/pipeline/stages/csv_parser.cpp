// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_parser.hpp"

#include "pipeline/option_checks.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

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

csv_parser::csv_parser(const csv_options& options)
    : options_(options), fields_(options.separator)
{
    expect_different_names("columns", options.columns);
    if (options.header && options.columns.empty())
        (void)number_choice::names_in(options.numbers);  // the header has to have them
    else
        numbers_ = number_choice(options.numbers, options.columns);
    if (options.comment.starts_with('"') ||
        options.comment.find_first_of("\r\n") != std::string::npos)
        throw option_error(
            "comment",
            detail::in_quotes(options.comment),
            "what a line may begin with, but no quote and no end of line"
        );
}

void csv_parser::begin_file()
{
    is_at_start_ = true;
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
        fields_.begin();
    const auto may_become = [&](std::string_view mark) {
        return !rest.is_last && may_begin_with(mark, text);
    };
    if (is_at_start_ && (may_become(text::byte_order_mark) || may_become("\xff\xfe") ||
                         may_become("\xfe\xff")))
        return 0;
    if (std::exchange(is_at_start_, false)) {
        if (text::begins_as_utf16(text))
            fail(line(), text::in_utf16);
        if (text.starts_with(text::byte_order_mark))
            return text::byte_order_mark.size();
    }
    if (lines_to_skip_ > 0 || may_become(options_.comment) ||
        (!options_.comment.empty() && text.starts_with(options_.comment)))
        return take_other_line(rest);
    const std::size_t size = fields_.find(text, rest.is_last);
    if (size == 0)
        return 0;
    if (fields_.wrong() != nullptr)
        return refuse_line(rest, size);
    const bool has_end = text[size - 1] == '\n' || text[size - 1] == '\r';
    const std::string_view record = text.substr(0, has_end ? size - 1 : size);
    if (is_too_long(record, line()))
        return leave_line(text, end_of_line(text.substr(0, size), 0));
    if (record.empty()) {
        // an empty line is no record
    } else if (header_to_come_) {
        take_header(rest);
    } else {
        add_record(rest, record, out);
    }
    add_lines(1 + fields_.lines());
    return size;
}

// A line of a preamble, or a comment.
std::size_t csv_parser::take_other_line(const rest_of_piece& rest)
{
    const std::size_t end = end_of_line(rest.text(), rest.searched);
    if (end == std::string_view::npos && !rest.is_last)
        return 0;
    if (lines_to_skip_ > 0)
        --lines_to_skip_;
    return leave_line(rest.text(), end);
}

// In steps, because the file may have only one of both.
std::size_t csv_parser::end_of_line(std::string_view text, std::size_t searched) const
{
    constexpr std::size_t step = 256;
    for (; searched < text.size(); searched += step) {
        const std::string_view part = text.substr(searched, step);
        const std::size_t newline = part.find('\n');
        const std::size_t end = std::min(newline, part.substr(0, newline).find('\r'));
        if (end != part.npos)
            return searched + end;
    }
    return text.npos;
}

std::string csv_parser::reason_for_no_end() const
{
    return fields_.is_open() ? "a quote is opened and never closed" : "";
}

// Only the line in which it begins: the quote may be the mistake, and more lines be right.
std::size_t csv_parser::refuse_line(const rest_of_piece& rest, std::size_t size)
{
    const std::string_view text = rest.text();
    const std::size_t end = end_of_line(text, 0);
    if (end == text.npos && !rest.is_last)
        return 0;
    std::string reason = fields_.wrong();
    if (const std::uint64_t lines = lines_in(text.substr(0, size)); lines > 0)
        reason += fmt::format("; the record goes on to line {}", line() + lines);
    refuse(text.substr(0, end), line(), reason);
    return leave_line(text, end);
}

// What follows it is read again.
std::size_t csv_parser::leave_line(std::string_view text, std::size_t end)
{
    add_lines(1);
    return std::min(end, text.size() - 1) + 1;
}

// In the buffer, where the fields get shorter.
void csv_parser::resolve_quotes(const rest_of_piece& rest)
{
    fields_.resolve_quotes(rest.buffer->data() + rest.begin);
}

void csv_parser::take_header(const rest_of_piece& rest)
{
    header_to_come_ = false;
    if (!options_.columns.empty())
        return;
    resolve_quotes(rest);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fields_.size(); ++i)
        names.emplace_back(fields_.at(i, rest.text()));
    for (const std::string& name : names)
        if (!text::is_utf8(name))
            fail(
                line(),
                fmt::format(
                    "the name {} of a column is not UTF-8; give all names in \"columns\"",
                    detail::in_quotes(name)
                )
            );
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
        for (const std::string& name : number_choice::names_in(options_.numbers))
            if (std::ranges::find(names, name) == names.end())
                fail(
                    line(),
                    fmt::format(
                        "there is no column {}, which \"numbers\" names",
                        detail::in_quotes(name)
                    )
                );
        numbers_ = number_choice(options_.numbers, names);
    }
    builder_->from(file());
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
    const std::string_view text = rest.text();
    const auto field_at = [&](std::size_t i) {
        return numbers_.field_of(i, fields_.at(i, text));
    };
    if (columns_ == nullptr) {
        json_value array = json_value::array();
        for (std::size_t i = 0; i < width; ++i)
            array.push_back(value_view(field_at(i)).to_json());
        out.emplace_back(std::move(array));
        return;
    }
    builder_->keep(rest.buffer);
    for (std::size_t i = 0; i < fields_.size(); ++i)
        builder_->add(field_at(i));
    for (std::size_t i = fields_.size(); i < width; ++i)
        builder_->add({"null", field_form::json});
    out.push_back(builder_->finish(line()));
}

}  // namespace sluice::pipeline
