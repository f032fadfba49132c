// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_parser.hpp"

#include "pipeline/csv_line.hpp"
#include "pipeline/different_names.hpp"
#include "pipeline/parse_json.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_shown = 1000;  // bytes of a field that is too long

// What more fields of a record take besides counts, too, or one of empty fields would be without a
// limit.
constexpr std::size_t many_fields = 10'000;
constexpr std::size_t cost_of_field = sizeof(json_value) + sizeof(std::string);

}  // namespace

void csv_parser::begin(const std::string& name)
{
    name_ = name;
    columns_ = options_.columns;
    find_number_columns();
    header_to_come_ = options_.header;
    after_return_ = false;
    at_start_ = true;
    line_ = 1;
    begin_record();
}

void csv_parser::parse(std::string_view piece, std::vector<element>& out)
{
    for (const char c : piece) {
        step(c, out);
        if (at_start_)
            look_at_start();
    }
}

// A mark of UTF-8 is left out. Of UTF-16 the records would be nonsense.
void csv_parser::look_at_start()
{
    if (text::begins_as_utf16(field_))
        fail(line_, text::in_utf16);
    if (field_ == byte_order_mark) {
        field_.clear();
        state_ = state::start;
    }
    constexpr std::size_t longest_mark = byte_order_mark.size();
    at_start_ = !field_.empty() && field_.size() < longest_mark;
}

void csv_parser::end(std::vector<element>& out)
{
    if (state_ == state::quoted && !is_dropped_)
        refuse_record(record_line_, "a quote is opened and never closed");
    else if (state_ != state::broken && (state_ != state::start || !fields_.empty()))
        end_record(out);
    begin_record();
}

std::size_t csv_parser::pending() const noexcept
{
    const std::size_t costly = std::max(fields_.size(), many_fields) - many_fields;
    return bytes_of_fields_ + field_.size() + costly * cost_of_field;
}

// Its quotes still count: the record ends where they say.
void csv_parser::drop_pending(const std::string& reason)
{
    field_.resize(std::min(field_.size(), most_shown));
    refuse_record(record_line_, reason);
    fields_.clear();
    bytes_of_fields_ = 0;
    is_dropped_ = true;
}

void csv_parser::step(char c, std::vector<element>& out)
{
    const bool ends_line_before = c == '\n' && after_return_;
    after_return_ = c == '\r';
    if (ends_line_before && state_ == state::start && fields_.empty())
        return;
    if (c == '\r' || (c == '\n' && !ends_line_before))
        ++line_;
    if (state_ == state::quoted) {
        if (c == '"')
            state_ = state::closing;
        else
            keep(c);
    } else if (c == '"' && state_ != state::plain && state_ != state::broken) {
        if (state_ == state::closing)  // two quotes stand for one
            keep(c);
        state_ = state::quoted;
        quotes_in_field_ = true;
    } else {
        step_outside_quotes(c, out);
    }
}

void csv_parser::step_outside_quotes(char c, std::vector<element>& out)
{
    const bool ends_line = c == '\n' || c == '\r';
    if (state_ == state::broken) {
        if (ends_line)
            begin_record();
    } else if (c == options_.separator.front()) {
        end_field();
    } else if (ends_line) {
        end_record(out);
    } else if (state_ != state::closing) {
        keep(c);
        state_ = state::plain;
    } else {
        if (!is_dropped_)
            refuse_record(
                line_,
                "text behind a closing quote; a quote inside quotes is written twice"
            );
        begin_record();
        state_ = state::broken;
    }
}

void csv_parser::keep(char c)
{
    if (!is_dropped_)
        field_ += c;
}

void csv_parser::end_field()
{
    quotes_in_field_ = false;
    state_ = state::start;
    if (is_dropped_)
        return;
    bytes_of_fields_ += field_.size() + 1;  // and the separator
    if (!header_to_come_ && is_number_column(fields_.size()))
        fields_.push_back(number_or_text(std::exchange(field_, {})));
    else
        fields_.emplace_back(std::exchange(field_, {}));
}

void csv_parser::end_record(std::vector<element>& out)
{
    check_pending();
    const bool is_empty = fields_.empty() && field_.empty() && !quotes_in_field_;
    end_field();
    if (is_empty || is_dropped_) {
        // an empty line is no record, and what was dropped has been refused
    } else if (!header_to_come_) {
        add_record(out);
    } else {
        take_header();
    }
    begin_record();
}

void csv_parser::begin_record()
{
    fields_.clear();
    bytes_of_fields_ = 0;
    field_.clear();
    is_dropped_ = false;
    quotes_in_field_ = false;
    state_ = state::start;
    record_line_ = line_;
}

void csv_parser::take_header()
{
    header_to_come_ = false;
    if (!columns_.empty())
        return;
    for (const json_value& name : fields_)
        columns_.push_back(name.get<std::string>());
    if (const auto name = repeated_name(columns_))
        fail(
            record_line_,
            fmt::format("several columns are called {}", detail::in_quotes(*name))
        );
    find_number_columns();
}

void csv_parser::find_number_columns()
{
    number_columns_.assign(columns_.size(), false);
    if (!options_.numbers.is_array() || columns_.empty())
        return;
    for (const auto& name : options_.numbers) {
        const auto found = std::ranges::find(columns_, name.get<std::string>());
        if (found == columns_.end())
            fail(
                record_line_,
                fmt::format(
                    "there is no column {}, which \"numbers\" names",
                    detail::in_words(name)
                )
            );
        number_columns_[static_cast<std::size_t>(found - columns_.begin())] = true;
    }
}

bool csv_parser::is_number_column(std::size_t index) const
{
    if (options_.numbers.is_boolean())
        return options_.numbers.get<bool>();
    return index < number_columns_.size() && number_columns_[index];
}

void csv_parser::add_record(std::vector<element>& out)
{
    if (columns_.empty()) {
        out.push_back(taken_record());
        return;
    }
    if (fields_.size() != columns_.size()) {
        refuse_record(
            record_line_,
            fmt::format(
                "{} for {}",
                detail::counted(fields_.size(), "field"),
                detail::counted(columns_.size(), "column")
            )
        );
        return;
    }
    json_value::object_t record;
    record.reserve(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i)
        record.emplace_back(columns_[i], std::move(fields_[i]));
    out.emplace_back(json_value(std::move(record)));
}

// The fields that there are, as an array.
element csv_parser::taken_record()
{
    return element(json_value(std::exchange(fields_, {})));
}

void csv_parser::refuse_record(std::size_t line, std::string_view what)
{
    if (header_to_come_)  // no record can be understood without it
        fail(line, what);
    if (!field_.empty())
        fields_.emplace_back(std::exchange(field_, {}));
    refuse(taken_record(), fmt::format("{}, line {}: {}", name_, line, what));
}

void csv_parser::fail(std::size_t line, std::string_view what) const
{
    throw std::runtime_error(fmt::format("{}, line {}: {}", name_, line, what));
}

}  // namespace sluice::pipeline
