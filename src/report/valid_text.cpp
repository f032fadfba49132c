// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/valid_text.hpp"

#include <algorithm>
#include <cstddef>

namespace sluice::report {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

// How many bytes the first character has; 0 if the first byte begins none. The second byte of some
// has a smaller range: others would be too long for their character, a surrogate, or too large.
std::size_t first_character(std::string_view text)
{
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned lead = byte(0);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0U) != 0x80)
            return 0;
    const bool wrong = (lead == 0xe0 && byte(1) < 0xa0) ||
                       (lead == 0xed && byte(1) >= 0xa0) ||
                       (lead == 0xf0 && byte(1) < 0x90) ||
                       (lead == 0xf4 && byte(1) >= 0x90);
    return wrong ? 0 : size;
}

}  // namespace

std::string valid_text(std::string_view text)
{
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::ranges::all_of(text, is_ascii))
        return std::string(text);  // as nearly all are
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = first_character(text);
        result += size == 0 ? replacement : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

}  // namespace sluice::report
