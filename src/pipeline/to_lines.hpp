// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>
#include <vector>

namespace sluice::pipeline {

// How elements look as lines.
enum class line_format
{
    text,  // as element::to_text() says
    json   // everything as compact JSON
};

// The elements as lines, each with its newline.
[[nodiscard]] std::string to_lines(std::vector<element>&& elements, line_format format);

}  // namespace sluice::pipeline
