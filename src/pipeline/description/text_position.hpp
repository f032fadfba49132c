// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::detail {

// Tells lines and columns of a text that is read from the front; the whole text is counted
// once.
class text_position
{
public:
    explicit text_position(std::string_view text) noexcept
        : text_(text), at_(begin()), line_begin_(begin())
    {
    }

    [[nodiscard]] const char* begin() const noexcept { return text_.data(); }
    [[nodiscard]] const char* end() const noexcept { return text_.data() + text_.size(); }

    // The line of a character, from 1. Not before one that was asked for earlier.
    std::size_t line(const char* at);

    // The column of a character in the line asked for last, from 1, in characters.
    [[nodiscard]] std::size_t column(const char* at) const;

private:
    std::string_view text_;
    const char* at_;
    const char* line_begin_;
    std::size_t line_ = 1;
};

// The text with a "?" for each byte that is not UTF-8, and a problem for each line with one.
// A byte 0 counts as one: JSON parsers would take it for the end.
[[nodiscard]] std::string replace_wrong_bytes(
    std::string_view text,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
