// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/json_line_parser.hpp"

#include "pipeline/parse_json.hpp"
#include "text/utf8.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace sluice::pipeline {

void json_line_parser::add(std::string&& line, std::vector<element>& out)
{
    if (line.find_first_not_of(" \t") == std::string::npos)
        return;
    try {
        out.emplace_back(parse_json(line));
    } catch (const std::runtime_error& error) {
        const std::string reason = text::begins_as_utf16(line) ? in_utf16 : error.what();
        refuse_line(std::move(line), reason);
    }
}

}  // namespace sluice::pipeline
