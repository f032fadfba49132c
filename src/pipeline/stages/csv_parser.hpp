// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

struct csv_options : file_options
{
    bool header = true;                // the first record holds the names of the columns
    std::vector<std::string> columns;  // their names, instead of those in the header
    std::string separator = ",";
    nlohmann::json numbers = false;  // or true, or the names of columns
};

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
    void drop_pending(const std::string& reason) override;

private:
    enum class state
    {
        start,    // of a field
        plain,    // in a field without quotes
        quoted,   // between quotes
        closing,  // behind a quote that ends the field, unless another follows
        broken    // in what is left of a line that is wrong
    };

    [[nodiscard]] std::size_t pending() const noexcept override;
    void look_at_start();
    void step(char c, std::vector<element>& out);
    void step_outside_quotes(char c, std::vector<element>& out);
    void keep(char c);
    void end_field();
    void end_record(std::vector<element>& out);
    void begin_record();
    void take_header();
    void find_number_columns();
    [[nodiscard]] bool is_number_column(std::size_t index) const;
    void add_record(std::vector<element>& out);
    [[nodiscard]] element taken_record();
    void refuse_record(std::size_t line, std::string_view what);
    [[noreturn]] void fail(std::size_t line, std::string_view what) const;

    const csv_options& options_;
    std::string name_;                  // of the file
    std::vector<std::string> columns_;  // names; empty: records are arrays
    std::vector<bool> number_columns_;  // whether their fields become numbers
    std::vector<json_value> fields_;    // of the record so far
    std::size_t bytes_of_fields_ = 0;   // of those, and of their separators
    std::string field_;                 // so far
    state state_ = state::start;
    bool is_dropped_ = false;  // nothing of the record is kept
    bool header_to_come_ = false;
    bool at_start_ = true;  // of the file: what has come may be a mark of its encoding
    std::size_t line_ = 1;  // the current one
    std::size_t record_line_ = 1;   // where the record began
    bool quotes_in_field_ = false;  // so it is one, even if it is empty
    bool after_return_ = false;     // a newline belongs to that line end
};

}  // namespace sluice::pipeline
