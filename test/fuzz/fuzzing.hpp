// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// What the fuzz targets share. Each defines try_input(), which libFuzzer calls with one input
// after the other; a sanitizer, an exception and require() end the program, and that is a
// finding.
namespace sluice::fuzz {

void try_input(std::string_view input);

// Ends the program unless the promise holds.
inline void require(bool holds, std::string_view promise)
{
    if (holds)
        return;
    std::fprintf(
        stderr,
        "broken promise: %.*s\n",
        static_cast<int>(promise.size()),
        promise.data()
    );
    std::abort();
}

// The first byte, which is then taken from the front; 0 if there is none.
inline unsigned take_byte(std::string_view& input)
{
    if (input.empty())
        return 0;
    const auto byte = static_cast<unsigned char>(input.front());
    input.remove_prefix(1);
    return byte;
}

// The first line without its newline; the line is then taken from the front.
inline std::string_view take_line(std::string_view& input)
{
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    return line;
}

// Calls `use` with the text in pieces of this size, or in one piece if it is 0.
template <class Use>
void in_pieces(std::string_view text, std::size_t size, const Use& use)
{
    do {
        const std::string_view piece = text.substr(0, size == 0 ? text.npos : size);
        use(piece);
        text.remove_prefix(piece.size());
    } while (!text.empty());
}

}  // namespace sluice::fuzz
