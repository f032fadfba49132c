// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "fuzz/fuzzing.hpp"
#include "pipeline/input/record_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

// What a parser makes of a file.
struct reading
{
    std::vector<pipeline::element> records;
    std::vector<pipeline::refused_element> refused;
    std::string error;  // where it ended with one

    friend bool operator==(const reading& a, const reading& b)
    {
        const auto is_same = [](const auto& one, const auto& other) {
            return one.content == other.content && one.reason == other.reason;
        };
        return a.records == b.records && a.error == b.error &&
               std::ranges::equal(a.refused, b.refused, is_same);
    }
};

// The file comes in pieces of this size, or in one if it is 0.
inline reading read_all(
    pipeline::record_parser& parser,
    std::string_view file,
    std::size_t piece
)
{
    reading read;
    try {
        parser.begin("file");
        in_pieces(file, piece, [&](std::string_view each) {
            parser.parse(each, read.records);
        });
        parser.end(read.records);
    } catch (const std::runtime_error& error) {
        read.error = error.what();
        require(!read.error.empty(), "an error says something");
    }
    read.refused = parser.take_refused();
    return read;
}

}  // namespace sluice::fuzz
