// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Figures, names and tables on a terminal.
namespace sluice::cli {

// A number of things per second in at most eight columns: "0/s", "12.5/s", "1.20 M/s".
[[nodiscard]] std::string format_rate(double per_second);

// "0 B", "1.5 KiB", "12 MiB"
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

// "0.01 s", "3.2 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds duration);

// When the server of a queue said how it is: "0.3 s ago", or "never".
[[nodiscard]] std::string format_reading(const metrics::remote_figures& remote);

// The longest beginning of a text, as text::printable() gives it, that fits into so many columns.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

// The text, as text::printable() gives it, if it fits into so many columns; otherwise "..." and its
// longest end that does.
[[nodiscard]] std::string cut_to_end(std::string_view text, std::size_t columns);

using table_row = std::vector<std::string>;

// A line for each row: the columns are as wide as their widest cell, aligned to the left
// ('<') or right ('>') and two blanks apart. No line ends with a blank.
[[nodiscard]] std::vector<std::string> table_lines(
    std::string_view alignments,
    std::vector<table_row> rows
);

}  // namespace sluice::cli
