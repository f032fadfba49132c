// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/json_line_parser.hpp"

#include "pipeline/parse_json.hpp"

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

void json_line_parser::add(std::string&& line, std::vector<element>& out)
{
    if (line.find_first_not_of(" \t") == std::string::npos)
        return;
    try {
        out.emplace_back(parse_json(line));
    } catch (const std::runtime_error& error) {
        refuse_line(std::move(line), error.what());
    }
}

}  // namespace sluice::pipeline
