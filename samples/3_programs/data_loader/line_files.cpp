// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "line_files.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

line_files::line_files(std::vector<std::filesystem::path> files)
    : files_{std::move(files)}
{
    for (std::size_t file = 0; file < files_.size(); ++file) {
        std::ifstream input{files_[file], std::ios::binary};
        if (!input)
            throw std::runtime_error("cannot open " + files_[file].string());
        std::streamoff offset = 0;
        for (std::string text; std::getline(input, text); offset = input.tellg())
            lines_.push_back({file, offset});
    }
}

std::string line_files::read(const line& which) const
{
    const std::filesystem::path& file = files_[which.file];
    std::ifstream input{file, std::ios::binary};
    input.seekg(which.offset);
    std::string text;
    if (!std::getline(input, text))
        throw std::runtime_error("cannot read " + file.string());
    return text;
}
