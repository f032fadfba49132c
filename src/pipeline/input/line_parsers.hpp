// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/record_builder.hpp"
#include "pipeline/input/record_parser.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// For files with a record on each line.
class line_parser : public record_parser
{
private:
    // Appends the element of a line, if it has one. The builder knows its buffer.
    virtual void add_line(
        std::string_view line,
        detail::record_builder& builder,
        std::vector<element>& out
    ) = 0;

    void begin_file() final { builder_.from(file()); }

    [[nodiscard]] std::size_t take_record(
        const rest_of_piece& rest,
        std::vector<element>& out
    ) final;

    detail::record_builder builder_;
};

// Each line is a text.
class text_line_parser final : public line_parser
{
    void add_line(
        std::string_view line,
        detail::record_builder& builder,
        std::vector<element>& out
    ) override;
};

// Each line is a JSON value, which stays as it was written; empty lines are left out.
class json_line_parser final : public line_parser
{
    void add_line(
        std::string_view line,
        detail::record_builder& builder,
        std::vector<element>& out
    ) override;
};

}  // namespace sluice::pipeline
