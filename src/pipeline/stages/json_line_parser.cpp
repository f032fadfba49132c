// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/json_line_parser.hpp"

#include "pipeline/parse_json.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

void json_line_parser::begin(const std::string& name)
{
    name_ = name;
    line_ = 0;
}

void json_line_parser::add(std::string&& line, std::vector<element>& out)
{
    ++line_;
    if (line.find_first_not_of(" \t") == std::string::npos)
        return;
    try {
        out.emplace_back(parse_json(line));
    } catch (const std::runtime_error& error) {
        refuse(
            element(std::move(line)),
            fmt::format("{}, line {}: {}", name_, line_, error.what())
        );
    }
}

}  // namespace sluice::pipeline
