// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/columns.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/element.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

struct csv_writer_options
{
    std::vector<std::string> columns;  // the fields that are written
    bool header = true;                // their names are the first record
    std::string separator = ",";
};

// Appends a field to a line that holds those before it, in quotes if it needs them.
void append_csv_field(std::string_view field, char separator, std::string& line);

// Makes records of CSV (RFC 4180) of values. Several workers may use it at a time.
class csv_writer
{
public:
    // Throws option_error if the options are impossible.
    csv_writer(const csv_writer_options& options, const line_rules& rules);

    // The records of at least one value.
    [[nodiscard]] std::string encode(const std::vector<element>& values);

    // What stands before the first of them; without "columns" it is known when they are encoded.
    [[nodiscard]] std::string head() const;

private:
    void append_record(const std::vector<value_view>& fields, std::string& lines) const;

    const line_rules rules_;
    const char separator_;
    const bool has_header_;
    std::once_flag has_columns_;
    std::optional<columns> columns_;  // unless they are named, of the first value
};

}  // namespace sluice::pipeline
