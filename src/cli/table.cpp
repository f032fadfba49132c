// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "table.hpp"

#include <algorithm>

namespace sluice::cli {

namespace {

bool begins_code_point(char byte) noexcept
{
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

bool is_control(char byte) noexcept
{
    const auto value = static_cast<unsigned char>(byte);
    return value < 0x20 || value == 0x7F;
}

std::string blanks(std::size_t have, std::size_t want)
{
    return std::string(want - std::min(have, want), ' ');
}

}  // namespace

std::size_t columns_of(std::string_view text) noexcept
{
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

std::string cut(std::string_view text, std::size_t columns)
{
    std::string result;
    for (const char byte : text) {
        if (begins_code_point(byte) && columns-- == 0)
            break;
        result += is_control(byte) ? '?' : byte;
    }
    return result;
}

std::string pad_right(std::string_view text, std::size_t columns)
{
    return std::string(text) + blanks(columns_of(text), columns);
}

std::string pad_left(std::string_view text, std::size_t columns)
{
    return blanks(columns_of(text), columns) + std::string(text);
}

std::vector<std::string> table::lines() const
{
    const auto width = widths();
    std::vector<std::string> result;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i == 0 ? "" : "  ";
            line += columns_[i] == alignment::left ? pad_right(row[i], width[i])
                                                   : pad_left(row[i], width[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result.push_back(std::move(line));
    }
    return result;
}

std::vector<std::size_t> table::widths() const
{
    std::vector<std::size_t> result(columns_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            result[i] = std::max(result[i], columns_of(row[i]));
    return result;
}

}  // namespace sluice::cli
