// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/record_builder.hpp"
#include "pipeline/input/record_parser.hpp"
#include "pipeline/stages/csv_fields.hpp"
#include "pipeline/stages/number_choice.hpp"
#include <sluice/pipeline/element.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

struct csv_options
{
    bool header = true;                // the first record holds the names of the columns
    std::vector<std::string> columns;  // their names, instead of those in the header
    std::string separator = ",";
    nlohmann::json numbers = false;  // or true, or the names of columns
    std::int64_t skip_lines = 0;     // before the header or the first record
    std::string comment;             // what lines begin with that are left out
    std::string short_records = "error";
};

// Makes of each record an object, or an array if columns have no names.
class csv_parser final : public record_parser
{
public:
    // The options must outlive the parser. Throws option_error if they are impossible.
    explicit csv_parser(const csv_options& options);

private:
    void begin_file() override;
    [[nodiscard]] std::size_t take_record(
        const rest_of_piece& rest,
        std::vector<element>& out
    ) override;
    [[nodiscard]] std::size_t end_of_line(std::string_view text, std::size_t searched)
        const override;
    [[nodiscard]] std::string reason_for_no_end() const override;

    // Without a header nothing is understood.
    [[nodiscard]] bool is_vital() const override { return header_to_come_; }

    [[nodiscard]] std::size_t take_other_line(const rest_of_piece& rest);
    [[nodiscard]] std::size_t refuse_line(const rest_of_piece& rest, std::size_t size);
    [[nodiscard]] std::size_t leave_line(std::string_view text, std::size_t end);
    void take_header(const rest_of_piece& rest);
    void use_columns(const std::vector<std::string>& names);
    void add_record(
        const rest_of_piece& rest,
        std::string_view record,
        std::vector<element>& out
    );
    void resolve_quotes(const rest_of_piece& rest);

    const csv_options& options_;
    csv_fields fields_;  // of the record that is looked at
    std::shared_ptr<const detail::field_names> columns_;  // null: they have no names
    std::optional<detail::record_builder> builder_;
    number_choice numbers_;
    bool is_at_start_ = true;
    bool header_to_come_ = true;
    std::int64_t lines_to_skip_ = 0;
};

}  // namespace sluice::pipeline
