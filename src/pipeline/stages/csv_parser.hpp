// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/record_parser.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// How CSV files are written.
struct csv_format
{
    char separator = ',';
    bool header = true;                // the first record holds the names of the columns
    std::vector<std::string> columns;  // their names, instead of those in the header
    bool numbers = true;  // fields without quotes become numbers, if they are
};

// One of the names that several columns have: an object would lose all but one of these.
[[nodiscard]] std::optional<std::string> repeated_name(std::vector<std::string> names);

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
    // The format must outlive the parser.
    explicit csv_parser(const csv_format& format) : format_(format) {}

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
    [[nodiscard]] nlohmann::json make_record();
    [[noreturn]] void fail(std::size_t line, const std::string& what) const;

    const csv_format& format_;
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

}  // namespace sluice::pipeline
