// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/to_lines.hpp"

#include <utility>

namespace sluice::pipeline {

namespace {

std::string to_line(element&& each, line_format format)
{
    if (format == line_format::text)
        return std::move(each).to_text();
    const auto invalid_utf8 = nlohmann::json::error_handler_t::replace;
    return std::move(each).to_json().dump(-1, ' ', false, invalid_utf8);
}

}  // namespace

std::string to_lines(std::vector<element>&& elements, line_format format)
{
    std::string lines;
    for (element& each : elements) {
        lines += to_line(std::move(each), format);
        lines += '\n';
    }
    return lines;
}

}  // namespace sluice::pipeline
