// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Text files whose lines can be read in any order.

#pragma once

#include <cstddef>
#include <filesystem>
#include <ios>
#include <string>
#include <vector>

class line_files
{
public:
    struct line
    {
        std::size_t file;
        std::streamoff offset;
    };

    /// Looks for the lines of all files; throws std::runtime_error.
    explicit line_files(std::vector<std::filesystem::path> files);

    /// All lines, file by file.
    [[nodiscard]] const std::vector<line>& lines() const { return lines_; }

    /// Reads one of the lines; from any thread. Throws std::runtime_error.
    [[nodiscard]] std::string read(const line& which) const;

private:
    std::vector<std::filesystem::path> files_;
    std::vector<line> lines_;
};
