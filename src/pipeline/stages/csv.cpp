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
    nlohmann::json numbers = false;  // or true, or the names of columns
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// One of the names that several columns have: an object would lose all but one of these.
std::optional<std::string> repeated_name(std::vector<std::string> names)
{
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found != names.end() ? std::optional(*found) : std::nullopt;
}

// "1 field", "2 fields"
std::string counted(std::size_t count, std::string_view thing)
{
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// Makes of each record a JSON object, or an array if columns have no names.
//
//             separator, line end             quote
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
        start,   // of a field
        plain,   // in a field without quotes
        quoted,  // between quotes
        closing  // behind a quote that ends the field, unless another follows
    };

    void skip_byte_order_mark();
    void step(char c, std::vector<element>& out);
    void step_outside_quotes(char c, std::vector<element>& out);
    void end_field();
    void end_record(std::vector<element>& out);
    void take_header();
    void find_number_columns();
    [[nodiscard]] bool is_number_column(std::size_t index) const;
    [[nodiscard]] json_value make_record();
    [[noreturn]] void fail(std::size_t line, std::string_view what) const;

    const csv_options& options_;
    std::string name_;                  // of the file
    std::vector<std::string> columns_;  // names; empty: records are arrays
    std::vector<bool> number_columns_;  // whether their fields become numbers
    std::vector<json_value> fields_;    // of the record so far
    std::string field_;                 // so far
    state state_ = state::start;
    bool header_to_come_ = false;
    bool at_start_ = true;          // of the file: what has come may be a byte order mark
    std::size_t line_ = 1;          // the current one
    std::size_t record_line_ = 1;   // where the record began
    bool quotes_in_field_ = false;  // so it is one, even if it is empty
    bool after_return_ = false;     // a newline belongs to that line end
};

void csv_parser::begin(const std::string& name)
{
    name_ = name;
    columns_ = options_.columns;
    find_number_columns();
    header_to_come_ = options_.header;
    after_return_ = false;
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
    if (c == options_.separator.front()) {
        end_field();
    } else if (c == '\n' || c == '\r') {
        end_record(out);
    } else if (state_ != state::closing) {
        field_ += c;
        state_ = state::plain;
    } else {
        fail(
            line_,
            "text behind a closing quote; a quote inside quotes is written twice"
        );
    }
}

void csv_parser::end_field()
{
    if (!header_to_come_ && is_number_column(fields_.size()))
        fields_.push_back(number_or_text(std::exchange(field_, {})));
    else
        fields_.emplace_back(std::exchange(field_, {}));
    quotes_in_field_ = false;
    state_ = state::start;
}

void csv_parser::end_record(std::vector<element>& out)
{
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

json_value csv_parser::make_record()
{
    if (columns_.empty())
        return std::move(fields_);
    if (fields_.size() != columns_.size())
        fail(
            record_line_,
            fmt::format(
                "{}, but there are {}",
                counted(fields_.size(), "field"),
                counted(columns_.size(), "column")
            )
        );
    json_value::object_t record;
    record.reserve(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i)
        record.emplace_back(columns_[i], std::move(fields_[i]));
    return record;
}

void csv_parser::fail(std::size_t line, std::string_view what) const
{
    throw std::runtime_error(fmt::format("{}, line {}: {}", name_, line, what));
}

void check_numbers(const csv_options& options)
{
    const nlohmann::json& numbers = options.numbers;
    const auto is_text = [](const nlohmann::json& each) { return each.is_string(); };
    const bool is_list = numbers.is_array() && std::ranges::all_of(numbers, is_text);
    const auto refuse = [&](const char* expected) {
        throw option_error("numbers", detail::in_words(numbers), expected);
    };
    if (!numbers.is_boolean() && !is_list)
        refuse("true, false or an array of the names of columns");
    if (is_list && !options.header && options.columns.empty())
        refuse("true or false, because the columns have no names");
    if (is_list && !options.columns.empty())
        for (const nlohmann::json& name : numbers)
            if (std::ranges::find(options.columns, name.get<std::string>()) ==
                options.columns.end())
                throw option_error("numbers", detail::in_words(name), "names of columns");
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
    check_numbers(options);
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
written twice, quotes. A record ends with a newline, a carriage return or both. Empty lines are
left out. A record with more or fewer fields than there are columns is an error with the file
and the line. Files are found and uncompressed as by text_lines.

Fields are texts, and stay as they are written. In the columns of "numbers", or in all if it is
true, what JSON calls a number becomes one: 12, -0.5 and 1e3, with or without quotes. Others,
such as 007, +1, .5 and n/a, stay texts. A number, too, is written as it was read: 1.10 is not
changed to 1.1.

    { "stage": "csv", "to": "records",
      "options": { "files": ["prices.csv"], "separator": ";", "numbers": ["price"] } })";

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
        .optional(
            "numbers",
            &options::numbers,
            "the columns whose fields become numbers, or whether all do"
        );
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
