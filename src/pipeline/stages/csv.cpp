// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/parse_json.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct csv_options : file_options
{
    bool header = true;                // the first record holds the names of the columns
    std::vector<std::string> columns;  // their names, instead of those in the header
    std::string separator = ",";
    bool numbers = true;  // fields without quotes become numbers, if they are
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// One of the names that several columns have: an object would lose all but one of these.
std::optional<std::string> repeated_name(std::vector<std::string> names)
{
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found != names.end() ? std::optional(*found) : std::nullopt;
}

// Makes of each record a JSON object, or an array if columns have no names.
//
//             separator, newline              quote
//     +------> start ---------------> plain    |
//     |          | quote                       v
//     |          v            quote
//     +------- closing <-------------------> quoted
//
class csv_parser final : public record_parser
{
public:
    // The options must outlive the parser.
    explicit csv_parser(const csv_options& options) : options_(options) {}

    void begin(const std::string& name) override;
    void parse(std::string_view piece, std::vector<element>& out) override;
    void end(std::vector<element>& out) override;

private:
    enum class state
    {
        start,    // of a field
        plain,    // in a field without quotes
        quoted,   // between quotes
        closing,  // behind a quote that ends the field, unless another follows
        broken    // in what is left of a line that is wrong
    };

    void skip_byte_order_mark();
    void step(char c, std::vector<element>& out);
    void step_outside_quotes(char c, std::vector<element>& out);
    void end_field();
    void end_record(std::vector<element>& out);
    void begin_record();
    void take_header();
    void add_record(std::vector<element>& out);
    [[nodiscard]] element taken_record();
    void refuse_record(std::size_t line, std::string_view what);
    [[noreturn]] void fail(std::size_t line, std::string_view what) const;

    const csv_options& options_;
    std::string name_;                    // of the file
    std::vector<std::string> columns_;    // names; empty: records are arrays
    std::vector<nlohmann::json> fields_;  // of the record so far
    std::string field_;                   // so far
    state state_ = state::start;
    bool header_to_come_ = false;
    bool at_start_ = true;          // of the file: what has come may be a byte order mark
    std::size_t line_ = 1;          // the current one
    std::size_t record_line_ = 1;   // where the record began
    bool quotes_in_field_ = false;  // it is a text, even if it looks like a number
};

void csv_parser::begin(const std::string& name)
{
    name_ = name;
    columns_ = options_.columns;
    header_to_come_ = options_.header;
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
        refuse_record(record_line_, "a quote is opened and never closed");
    else if (state_ != state::broken && (state_ != state::start || !fields_.empty()))
        end_record(out);
    begin_record();
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
    } else if (c == '"' && state_ != state::plain && state_ != state::broken) {
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
    if (state_ == state::broken) {
        if (c == '\n')
            begin_record();
    } else if (c == options_.separator.front()) {
        end_field();
    } else if (c == '\n') {
        end_record(out);
    } else if (state_ != state::closing) {
        field_ += c;
        state_ = state::plain;
    } else if (c != '\r') {
        refuse_record(
            line_,
            "text behind a closing quote; a quote inside quotes is written twice"
        );
        state_ = state::broken;
    }
}

void csv_parser::end_field()
{
    const bool may_be_number = options_.numbers && !quotes_in_field_ && !header_to_come_;
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
        add_record(out);
    } else {
        take_header();
    }
    begin_record();
}

void csv_parser::begin_record()
{
    fields_.clear();
    field_.clear();
    quotes_in_field_ = false;
    state_ = state::start;
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
        fail(
            record_line_,
            fmt::format("several columns are called {}", detail::in_quotes(*name))
        );
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
                "{} fields, but there are {} columns",
                fields_.size(),
                columns_.size()
            )
        );
        return;
    }
    auto record = json_value::object();
    for (std::size_t i = 0; i < fields_.size(); ++i)
        record[columns_[i]] = std::move(fields_[i]);
    out.emplace_back(std::move(record));
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

const csv_options& checked(const csv_options& options)
{
    const std::string& separator = options.separator;
    if (separator.size() != 1 || separator.find_first_of("\"\r\n") != std::string::npos)
        throw option_error(
            "separator",
            detail::in_quotes(separator),
            "one character of ASCII, but no quote and no end of line"
        );
    if (const auto name = repeated_name(options.columns))
        throw option_error(
            "columns",
            fmt::format("{} twice", detail::in_quotes(*name)),
            "different names"
        );
    return options;
}

class csv final : public file_source
{
public:
    explicit csv(const csv_options& options)
        : file_source(options), options_(checked(options))
    {
    }

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const override
    {
        return std::make_unique<csv_parser>(options_);
    }

    const csv_options options_;
};

constexpr const char* csv_details =
    R"(Each record becomes an object with a member for each column. The names are those in the
first record, or "columns", and all different; with "header" false and no columns each
record becomes an array. Fields may be in quotes, and then hold separators, newlines and,
written twice, quotes. Those without quotes that are numbers become numbers; 007 stays a text.
Empty lines are left out. A record with more or fewer fields than there are columns is an
error with the file and the line. Files are found and uncompressed as by text_lines.

    { "stage": "csv", "to": "records",
      "options": { "files": ["prices.csv"], "separator": ";" } })";

}  // namespace

void add_csv(stage_registry& stages)
{
    using options = csv_options;
    stage_options<options> described;
    add_file_options(described)
        .optional("header", &options::header, "whether the first record holds names")
        .optional(
            "columns",
            &options::columns,
            "the names, instead of those in the header"
        )
        .optional("separator", &options::separator, "what stands between fields")
        .optional("numbers", &options::numbers, "whether numbers become numbers");
    stages.add<csv>(
        {.name = "csv",
         .summary = "reads the records of CSV files or standard input",
         .takes = element_kind::none,
         .gives = element_kind::value,
         .details = csv_details},
        std::move(described)
    );
}

}  // namespace sluice::pipeline
