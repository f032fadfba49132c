// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/record_builder.hpp"
#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include <sluice/pipeline/element.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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
    std::int64_t skip_lines = 0;     // before the header or the first record
    std::string comment;             // what lines begin with that are left out
    std::string short_records = "error";
};

// Makes of each record an object, or an array if columns have no names (RFC 4180).
class csv_parser final : public record_parser
{
public:
    // The options must outlive the parser.
    explicit csv_parser(const csv_options& options);

private:
    // A field in the piece, between its quotes if it has some.
    struct found_field
    {
        std::size_t begin;
        std::size_t size;
        bool has_quotes;  // in it, each written twice
    };

    // The field whose end is looked for.
    struct open_field
    {
        std::size_t begin = 0;
        std::size_t searched =
            0;  // where the search goes on, if that is behind the beginning
        bool has_quotes = false;
    };

    void begin_file() override;
    [[nodiscard]] std::size_t take_record(
        const rest_of_piece& rest,
        std::vector<element>& out
    ) override;
    [[nodiscard]] std::string reason_for_no_end() const override;

    // Without a header nothing is understood.
    [[nodiscard]] bool is_vital() const override { return header_to_come_; }

    [[nodiscard]] std::size_t take_other_line(const rest_of_piece& rest);
    [[nodiscard]] std::size_t find_fields(const rest_of_piece& rest);
    [[nodiscard]] std::optional<std::size_t> end_of_plain(std::string_view text);
    [[nodiscard]] std::optional<std::size_t> end_of_quoted(const rest_of_piece& rest);
    void add_field(std::string_view text, std::size_t end, bool is_quoted);
    [[nodiscard]] std::size_t refuse_line(const rest_of_piece& rest, std::size_t size);
    [[nodiscard]] std::size_t leave_first_line(std::string_view record);
    void resolve_quotes(const rest_of_piece& rest);
    void take_header(const rest_of_piece& rest);
    void use_columns(const std::vector<std::string>& names);
    void find_number_columns(const std::vector<std::string>& names);
    void add_record(
        const rest_of_piece& rest,
        std::string_view record,
        std::vector<element>& out
    );
    [[nodiscard]] field field_at(std::size_t index, std::string_view text) const;
    [[nodiscard]] bool is_number_column(std::size_t index) const;

    [[nodiscard]] bool ends_field(char c) const noexcept
    {
        return ends_field_[static_cast<unsigned char>(c)];
    }

    const csv_options& options_;
    std::shared_ptr<const detail::field_names> columns_;  // null: they have no names
    std::optional<detail::record_builder> builder_;
    std::vector<bool> number_columns_;
    std::vector<found_field> fields_;  // of the record that is looked at
    open_field field_;
    bool is_begun_ = false;        // the fields of the record that is looked at
    const char* wrong_ = nullptr;  // in that record
    std::array<bool, 256> ends_field_{};
    std::uint64_t lines_in_quotes_ = 0;
    bool is_at_start_ = true;
    bool header_to_come_ = true;
    bool after_return_ =
        false;              // the record before ended with one; a newline belongs to it
    bool is_open_ = false;  // the end was looked for in quotes
    std::int64_t lines_to_skip_ = 0;
};

}  // namespace sluice::pipeline
