// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

// How many columns of a terminal a text takes: one for each code point of UTF-8.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

// The beginning of a text that takes at most so many columns, without control characters,
// which a name may contain and which would move the cursor.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

// Fills up with blanks.
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);

enum class alignment
{
    left,
    right
};

// Lines of cells in columns of equal width, two blanks apart.
class table
{
public:
    explicit table(std::vector<alignment> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    // One line each, without line ends and without blanks at their ends.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<alignment> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace sluice::cli
