// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/valid_text.hpp"

#include "text/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace sluice::report {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

}  // namespace

std::string valid_text(std::string_view text)
{
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::ranges::all_of(text, is_ascii))
        return std::string(text);  // as nearly all are
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = text::first_code_point(text).bytes;
        result += size == 0 ? replacement : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

}  // namespace sluice::report
