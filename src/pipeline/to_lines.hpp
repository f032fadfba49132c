// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// How elements look as lines.
enum class line_format
{
    text,  // as element::to_text() says
    json   // everything as compact JSON
};

// The elements as lines, each with its newline.
[[nodiscard]] inline std::string to_lines(
    std::vector<element>&& elements,
    line_format format
)
{
    const auto invalid_utf8 = nlohmann::json::error_handler_t::replace;
    std::string lines;
    for (element& each : elements) {
        if (format == line_format::text)
            lines += std::move(each).to_text();
        else
            lines += std::move(each).to_json().dump(-1, ' ', false, invalid_utf8);
        lines += '\n';
    }
    return lines;
}

}  // namespace sluice::pipeline
