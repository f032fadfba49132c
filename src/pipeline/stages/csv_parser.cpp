// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_parser.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// A number if that is what JSON calls one; else the text. A whole number that is too large
// to be one exactly stays a text, too, as it may be a key; fractions are rounded to double.
nlohmann::json number_or_text(std::string&& field)
{
    using nlohmann::json;
    const bool may_be = !field.empty() &&
                        (text::is_digit(field.front()) || field.front() == '-');
    if (!may_be || !text::is_digit(field.back()))
        return std::move(field);
    json number = json::parse(field, nullptr, false);
    const bool is_whole = field.find_first_of(".eE") == std::string::npos;
    if (!number.is_number() || (is_whole && !number.is_number_integer()))
        return std::move(field);
    return number;
}

}  // namespace

std::optional<std::string> repeated_name(std::vector<std::string> names)
{
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found != names.end() ? std::optional(*found) : std::nullopt;
}

void csv_parser::begin(const std::string& name)
{
    name_ = name;
    columns_ = format_.columns;
    header_to_come_ = format_.header;
    at_start_ = true;
    line_ = 1;
    record_line_ = 1;
}

void csv_parser::parse(std::string_view piece, std::vector<element>& out)
{
    for (const char c : piece) {
        step(c, out);
        if (at_start_)
            skip_byte_order_mark();
    }
}

void csv_parser::skip_byte_order_mark()
{
    if (field_ == byte_order_mark) {
        field_.clear();
        state_ = state::start;
    }
    at_start_ = !field_.empty() && byte_order_mark.starts_with(field_);
}

void csv_parser::end(std::vector<element>& out)
{
    if (state_ == state::quoted)
        fail(record_line_, "a quote is opened and never closed");
    if (state_ != state::start || !fields_.empty())
        end_record(out);
}

void csv_parser::step(char c, std::vector<element>& out)
{
    if (c == '\n')
        ++line_;
    if (state_ == state::quoted) {
        if (c == '"')
            state_ = state::closing;
        else
            field_ += c;
    } else if (c == '"' && state_ != state::plain) {
        if (state_ == state::closing)  // two quotes stand for one
            field_ += c;
        state_ = state::quoted;
        quotes_in_field_ = true;
    } else {
        step_outside_quotes(c, out);
    }
}

void csv_parser::step_outside_quotes(char c, std::vector<element>& out)
{
    if (c == format_.separator) {
        end_field();
    } else if (c == '\n') {
        end_record(out);
    } else if (state_ != state::closing) {
        field_ += c;
        state_ = state::plain;
    } else if (c != '\r') {
        fail(
            line_,
            "text behind a closing quote; a quote inside quotes is written twice"
        );
    }
}

void csv_parser::end_field()
{
    const bool may_be_number = format_.numbers && !quotes_in_field_ && !header_to_come_;
    if (may_be_number)
        fields_.push_back(number_or_text(std::exchange(field_, {})));
    else
        fields_.emplace_back(std::exchange(field_, {}));
    quotes_in_field_ = false;
    state_ = state::start;
}

void csv_parser::end_record(std::vector<element>& out)
{
    if (!quotes_in_field_ && field_.ends_with('\r'))
        field_.pop_back();
    const bool is_empty = fields_.empty() && field_.empty() && !quotes_in_field_;
    end_field();
    if (is_empty) {
        // an empty line is no record
    } else if (!header_to_come_) {
        out.emplace_back(make_record());
    } else {
        take_header();
    }
    fields_.clear();
    record_line_ = line_;
}

void csv_parser::take_header()
{
    header_to_come_ = false;
    if (!columns_.empty())
        return;
    for (const nlohmann::json& name : fields_)
        columns_.push_back(name.get<std::string>());
    if (const auto name = repeated_name(columns_))
        fail(record_line_, "several columns are called " + detail::in_quotes(*name));
}

nlohmann::json csv_parser::make_record()
{
    if (columns_.empty())
        return std::move(fields_);
    if (fields_.size() != columns_.size())
        fail(
            record_line_,
            std::to_string(fields_.size()) + " fields, but there are " +
                std::to_string(columns_.size()) + " columns"
        );
    auto record = nlohmann::json::object();
    for (std::size_t i = 0; i < fields_.size(); ++i)
        record[columns_[i]] = std::move(fields_[i]);
    return record;
}

void csv_parser::fail(std::size_t line, const std::string& what) const
{
    throw std::runtime_error(name_ + ", line " + std::to_string(line) + ": " + what);
}

}  // namespace sluice::pipeline
