// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "text/utf8.hpp"

#include <cstddef>

namespace sluice::pipeline::detail {

// Tells line and column of the byte read last, both from 1; columns are characters.
class text_position
{
public:
    void read(char byte) noexcept
    {
        if (line_has_ended_) {
            ++line_;
            column_ = 0;
        }
        line_has_ended_ = byte == '\n';
        column_ += text::begins_character(byte) ? 1U : 0U;
    }

    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    std::size_t line_ = 1;
    std::size_t column_ = 0;
    bool line_has_ended_ = false;  // the newline itself still belongs to its line
};

}  // namespace sluice::pipeline::detail
