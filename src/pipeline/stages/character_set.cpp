// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/character_set.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace sluice::pipeline {

namespace {

constexpr std::size_t first_beyond_ascii = 128;

// Takes one character, which a backslash may stand before, from the front.
unsigned char take(std::string_view& rest)
{
    if (rest.front() == '\\' && rest.size() > 1)
        rest.remove_prefix(1);
    const auto character = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    return character;
}

}  // namespace

character_set::character_set(const std::string& written, const char* option)
{
    if (written.empty())
        throw option_error(option, "\"\"", "at least one character");
    std::fill(members_.begin() + first_beyond_ascii, members_.end(), true);
    for (std::string_view rest = written; !rest.empty();) {
        const unsigned char first = take(rest);
        unsigned char last = first;
        if (rest.size() > 1 && rest.front() == '-') {
            rest.remove_prefix(1);
            last = take(rest);
        }
        if (last < first)
            throw option_error(
                option,
                detail::in_quotes(written),
                "ranges that begin with the smaller character, such as a-z"
            );
        std::fill(members_.begin() + first, members_.begin() + last + 1, true);
    }
}

}  // namespace sluice::pipeline
