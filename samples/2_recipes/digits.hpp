// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The digits set: 1,797 images of 8x8 pixels, ten classes. See data/README.md.

#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace digits {

inline constexpr std::size_t image_size = 64;
inline constexpr std::size_t classes = 10;

using image = std::array<float, image_size>;  // row by row, 0 (white) to 1 (black)

struct example
{
    image pixels;
    std::size_t label;  // the digit it shows
};

/// Parse a line of 64 pixels and a label; throws std::runtime_error.
example parse(std::string_view line);

/// Read all examples of a gzip-compressed CSV file; throws std::runtime_error.
std::vector<example> read(const std::filesystem::path& file);

struct split_set
{
    std::vector<example> training;
    std::vector<example> test;
};

/// Hold out every fifth example.
split_set hold_out_a_fifth(std::vector<example> examples);

}  // namespace digits
